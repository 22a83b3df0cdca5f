// Nodes that wait for words in memory and write them, and nodes of external semaphores.
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuprum/core/graph.hpp"
#include "driver_error.hpp"
#include "graph_node_calls.hpp"
#include "graph_node_parameters.hpp"
#include "graph_state.hpp"
#include "memory_word.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

constexpr const char* adding_memory_operation = "adding a memory operation node";

// An H200's driver (580) makes such a node, though it refuses the same in a stream.
void require_words_of_graphs(const OpenGraph& open, std::span<const MemoryOperationParameters> operations) {
    for (const MemoryOperationParameters& each : operations) {
        if (!is_pooled_or_managed(each.address, open.operation())) continue;
        throw InvalidArgument(open.operation(), open.name(),
                              "graphs neither wait for nor write words of managed memory or of a pool's memory",
                              "use page-locked memory, or a device's memory that was allocated without a stream");
    }
}

void require_semaphore(const OpenGraph& open, CUexternalSemaphore semaphore) {
    if (semaphore != nullptr) return;
    throw InvalidArgument(open.operation(), open.name(), "the semaphore is null",
                          "import one with cuImportExternalSemaphore");
}

}  // namespace

GraphNode GraphPosition::memory_operations(std::span<const MemoryOperationParameters> operations,
                                           GraphOwners owners) const {
    const OpenGraph open(*this, adding_memory_operation);
    std::vector<CUstreamBatchMemOpParams> list = memory_operation_list(open, operations);
    require_words_of_graphs(open, operations);
    return add_node(open, memory_operation_node(open, list, std::move(owners)));
}

namespace {

DevicePointer word_of(const BufferRef& buffer, uint64_t offset, uint64_t size) {
    return word_in(buffer, offset, size, adding_memory_operation, [&buffer] { return describe(buffer); });
}

}  // namespace

GraphNode GraphPosition::wait_value32(const BufferRef& buffer, uint64_t offset, uint32_t value, WaitCondition condition,
                                      bool flush, GraphOwners owners) const {
    const MemoryOperationParameters wait{word_of(buffer, offset, 4), value, 4, condition, flush};
    return memory_operations({&wait, 1}, std::move(owners));
}

GraphNode GraphPosition::wait_value64(const BufferRef& buffer, uint64_t offset, uint64_t value, WaitCondition condition,
                                      bool flush, GraphOwners owners) const {
    const MemoryOperationParameters wait{word_of(buffer, offset, 8), value, 8, condition, flush};
    return memory_operations({&wait, 1}, std::move(owners));
}

GraphNode GraphPosition::write_value32(const BufferRef& buffer, uint64_t offset, uint32_t value,
                                       GraphOwners owners) const {
    const MemoryOperationParameters write{word_of(buffer, offset, 4), value, 4};
    return memory_operations({&write, 1}, std::move(owners));
}

GraphNode GraphPosition::write_value64(const BufferRef& buffer, uint64_t offset, uint64_t value,
                                       GraphOwners owners) const {
    const MemoryOperationParameters write{word_of(buffer, offset, 8), value, 8};
    return memory_operations({&write, 1}, std::move(owners));
}

GraphNode GraphPosition::signal_external_semaphore(CUexternalSemaphore semaphore, uint64_t value) const {
    const OpenGraph open(*this, "adding a node that signals an external semaphore");
    require_semaphore(open, semaphore);
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS parameters{};
    parameters.params.fence.value = value;
    NodeParameters made;
    made.values.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL;
    made.values.extSemSignal.extSemArray = &semaphore;
    made.values.extSemSignal.paramsArray = &parameters;
    made.values.extSemSignal.numExtSems = 1;
    return add_node(open, std::move(made));
}

GraphNode GraphPosition::wait_external_semaphore(CUexternalSemaphore semaphore, uint64_t value) const {
    const OpenGraph open(*this, "adding a node that waits for an external semaphore");
    require_semaphore(open, semaphore);
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS parameters{};
    parameters.params.fence.value = value;
    NodeParameters made;
    made.values.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
    made.values.extSemWait.extSemArray = &semaphore;
    made.values.extSemWait.paramsArray = &parameters;
    made.values.extSemWait.numExtSems = 1;
    return add_node(open, std::move(made));
}

std::vector<MemoryOperationParameters> GraphNode::memory_operation_parameters() const {
    const OpenGraph open(*this, "asking for the parameters of a memory operation node");
    require_type(open, GraphNodeType::batch_memory_operation);
    CUDA_BATCH_MEM_OP_NODE_PARAMS values{};
    check(driver::cuGraphBatchMemOpNodeGetParams(node_->handle, &values), "cuGraphBatchMemOpNodeGetParams",
          open.operation(), open.name());
    std::vector<MemoryOperationParameters> parameters;
    for (const CUstreamBatchMemOpParams& each : std::span(values.paramArray, values.count)) {
        const bool is_wait =
            each.operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 || each.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
        const bool is_write =
            each.operation == CU_STREAM_MEM_OP_WRITE_VALUE_32 || each.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
        if (!is_wait && !is_write) continue;  // a barrier, a flush: no word
        MemoryOperationParameters made;
        made.word_size =
            each.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 || each.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64 ? 8
                                                                                                                  : 4;
        made.address = is_wait ? each.waitValue.address : each.writeValue.address;
        const cuuint64_t value = is_wait ? each.waitValue.value64 : each.writeValue.value64;
        made.value = made.word_size == 8 ? value : static_cast<uint32_t>(value);
        if (is_wait) {
            made.condition = static_cast<WaitCondition>(each.waitValue.flags & ~CU_STREAM_WAIT_VALUE_FLUSH);
            made.flush = (each.waitValue.flags & CU_STREAM_WAIT_VALUE_FLUSH) != 0;
        }
        parameters.push_back(made);
    }
    return parameters;
}

void GraphNode::update_memory_operations(std::span<const MemoryOperationParameters> operations,
                                         GraphOwners owners) const {
    const OpenGraph open(*this, "updating a memory operation node");
    require_type(open, GraphNodeType::batch_memory_operation);
    std::vector<CUstreamBatchMemOpParams> list = memory_operation_list(open, operations);
    require_words_of_graphs(open, operations);
    update_node(open, memory_operation_node(open, list, std::move(owners)));
}

}  // namespace cuprum::core
