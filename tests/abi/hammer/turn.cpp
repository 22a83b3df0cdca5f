#include "turn.hpp"

#include <algorithm>
#include <string_view>

#include "choices.hpp"

namespace hammer {

cuprum_status destroy(Kind kind, uint64_t handle) {
    switch (kind) {
        case stream:
            return cuprum_stream_destroy(as_handle<cuprum_stream>(handle));
        case event:
            return cuprum_event_destroy(as_handle<cuprum_event>(handle));
        case buffer:
            return cuprum_buffer_destroy(as_handle<cuprum_buffer>(handle));
        case program:
            return cuprum_program_destroy(as_handle<cuprum_program>(handle));
        case object_code:
            return cuprum_object_code_destroy(as_handle<cuprum_object_code>(handle));
        case kernel:
            return cuprum_kernel_destroy(as_handle<cuprum_kernel>(handle));
        case toolkit:
            return cuprum_toolkit_destroy(as_handle<cuprum_toolkit>(handle));
        case parallel_operator:
            return cuprum_parallel_operator_destroy(as_handle<cuprum_parallel_operator>(handle));
        case parallel_iterator:
            return cuprum_parallel_iterator_destroy(as_handle<cuprum_parallel_iterator>(handle));
        case parallel_algorithm:
            return cuprum_parallel_algorithm_destroy(as_handle<cuprum_parallel_algorithm>(handle));
        case linker:
            return cuprum_linker_destroy(as_handle<cuprum_linker>(handle));
        case memory_resource:
            return cuprum_memory_resource_destroy(as_handle<cuprum_memory_resource>(handle));
        case context:
            return cuprum_context_destroy(as_handle<cuprum_context>(handle));
        case compile_batch:
            return cuprum_compile_batch_destroy(as_handle<cuprum_compile_batch>(handle));
        case graph_builder:
            return cuprum_graph_builder_destroy(as_handle<cuprum_graph_builder>(handle));
        case graph_definition:
            return cuprum_graph_definition_destroy(as_handle<cuprum_graph_definition>(handle));
        case graph:
            return cuprum_graph_destroy(as_handle<cuprum_graph>(handle));
        case opaque_array:
            return cuprum_opaque_array_destroy(as_handle<cuprum_opaque_array>(handle));
        case mipmapped_array:
            return cuprum_mipmapped_array_destroy(as_handle<cuprum_mipmapped_array>(handle));
        case texture_object:
            return cuprum_texture_object_destroy(as_handle<cuprum_texture_object>(handle));
        case surface_object:
            return cuprum_surface_object_destroy(as_handle<cuprum_surface_object>(handle));
        case system_events:
            return cuprum_system_events_destroy(as_handle<cuprum_system_events>(handle));
        case communicator:
            return cuprum_communicator_destroy(as_handle<cuprum_communicator>(handle));
        case distributed_algorithm:
            return cuprum_distributed_algorithm_destroy(as_handle<cuprum_distributed_algorithm>(handle));
        case reduced_shards:
            return cuprum_reduced_shards_destroy(as_handle<cuprum_reduced_shards>(handle));
        case out_of_core_algorithm:
            return cuprum_out_of_core_algorithm_destroy(as_handle<cuprum_out_of_core_algorithm>(handle));
        case kind_count:
            break;
    }
    return CUPRUM_ERROR_INTERNAL;
}

std::vector<uint64_t> Pool::take_all() {
    std::vector<uint64_t> all;
    for (std::atomic<uint64_t>& slot : slots_) {
        if (const uint64_t handle = slot.exchange(0)) all.push_back(handle);
    }
    return all;
}

uint64_t Turn::bad_handle(Kind kind, bool for_destroying) {
    // A changed bit may make it the handle of another object: not of memory, which its owner then frees while it is
    // used.
    const bool may_be_anothers = !for_destroying && kind != buffer;
    switch (random.below(may_be_anothers ? 5 : 4)) {
        case 0:
            return 0;
        case 1:
            return random.pick(shared.stale).load(std::memory_order_relaxed);
        case 2: {
            const auto other = static_cast<Kind>((kind + 1 + random.below(kind_count - 1)) % kind_count);
            return random.pick(shared.lasting[other]);
        }
        case 3:
            return random.next();
        default:
            return shared.pools[kind].look(random) ^ (uint64_t{1} << random.below(64));
    }
}

uint64_t Turn::handle(Kind kind) {
    if (random.one_in(8)) return bad_handle(kind, false);
    return random.one_in(3) ? shared.pools[kind].look(random) : random.pick(shared.lasting[kind]);
}

uint64_t Turn::handle(Kind kind, size_t place) {
    return random.one_in(8) ? handle(kind) : shared.lasting[kind][place];
}

uint64_t Turn::doomed(Kind kind) {
    if (random.one_in(8)) return bad_handle(kind, true);
    const uint64_t handle = random.one_in(16) ? shared.pools[kind].look(random) : shared.pools[kind].take(random);
    if (handle != 0) shared.stale[random.below(shared.stale.size())] = handle;
    return handle;
}

void* Turn::new_output(size_t size, int kind, bool is_text) {
    const size_t place = outputs_.empty() ? 0 : (outputs_.back().place + outputs_.back().size + 15) / 16 * 16;
    outputs_.push_back({place, size, kind, is_text, {}});
    for (size_t i = 0; i < size; ++i)
        memory_[place + i] = outputs_.back().before[i] = static_cast<unsigned char>(0xA5 + i);
    return memory_.data() + place;
}

namespace {

std::string check_error(cuprum_status status) {
    if (std::string(cuprum_error_status_name(status)) == "CUPRUM_ERROR_UNKNOWN") return "an unknown status";
    cuprum_error_info info{};
    info.struct_size = sizeof info;
    if (cuprum_error_last(&info) != CUPRUM_SUCCESS) return "cuprum_error_last() fails";
    if (status == CUPRUM_ERROR_INTERNAL) return std::string("an internal error: ") + info.message;
    // Nothing here runs what a device could not.
    if (status == CUPRUM_ERROR_DEVICE_FAULT) return std::string("a fault of the device: ") + info.message;
    if (info.status != status) return "the error's status is " + std::to_string(info.status);
    for (const char* const text :
         {info.name, info.message, info.operation, info.object, info.detail, info.advice, info.log}) {
        if (text == nullptr) return "a text of the error is NULL";
    }
    if ((status != CUPRUM_SUCCESS) != (*info.message != '\0')) return std::string("its message is: ") + info.message;
    return {};
}

}  // namespace

std::string Turn::finish(cuprum_status status, bool sets_the_error) {
    if (std::string wrong = sets_the_error ? check_error(status) : ""; !wrong.empty()) return wrong;
    for (const Output& output : outputs_) {
        unsigned char* const now = memory_.data() + output.place;
        if (status != CUPRUM_SUCCESS) {
            if (std::memcmp(now, output.before.data(), output.size) != 0) return "it failed and changed an output";
            continue;
        }
        if (output.is_text) {
            const char* text = nullptr;
            std::memcpy(&text, now, sizeof(text));
            // Reads all of it.
            if (text == nullptr || std::strlen(text) == SIZE_MAX) return "it gave no text";
        }
        if (output.kind >= 0) {
            uint64_t handle = 0;
            std::memcpy(&handle, now, sizeof(handle));
            if (handle == 0) return "it gave no handle";
            const auto kind = static_cast<Kind>(output.kind);
            const uint64_t replaced = shared.pools[kind].put(random, handle);
            if (replaced != 0) {
                shared.stale[random.below(shared.stale.size())] = replaced;
                destroy(kind, replaced);
            }
        }
    }
    return {};
}

const std::vector<Function>& functions() {
    static const std::vector<Function> all = [] {
        std::vector<Function> joined;
        for (const auto& part : {context_functions(), copy_functions(), core_functions(), distributed_functions(),
                                 graph_functions(), image_functions(), memory_functions(), out_of_core_functions(),
                                 parallel_array_functions(), parallel_build_functions(), parallel_functions(),
                                 parallel_operand_functions(), pathfinder_functions(), system_functions()})
            joined.insert(joined.end(), part.begin(), part.end());
        std::sort(joined.begin(), joined.end(),
                  [](const Function& left, const Function& right) { return std::string_view(left.name) < right.name; });
        return joined;
    }();
    return all;
}

}  // namespace hammer
