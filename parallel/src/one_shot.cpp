#include "cuprum/parallel/one_shot.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "cuprum/core/device.hpp"
#include "cuprum/parallel/merge_sort.hpp"
#include "cuprum/parallel/reduce.hpp"
#include "cuprum/parallel/select.hpp"
#include "cuprum/parallel/transform.hpp"
#include "cuprum/parallel/unique_by_key.hpp"
#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

namespace {

// A stream of its own and memory in its order: nothing here waits for other work on the device.
class Job {
public:
    explicit Job(int32_t device_id) : device_(device_id), stream_(device_.create_stream()) {}
    ~Job() {
        // Copies that are under way use the caller's memory.
        try {
            stream_.sync();
        } catch (const Error&) {
            // Told by wait(), or on the way out for another error.
        }
    }
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    const core::Stream& stream() const { return stream_; }
    core::Buffer memory_for(const Type& type, uint64_t count) const {
        return device_.allocate(count * type.size(), stream_);
    }
    core::Buffer upload(const Type& type, const void* data, uint64_t count) const {
        require(data, count);
        core::Buffer buffer = memory_for(type, count);
        if (count > 0) buffer.copy_from_host(data, buffer.size(), stream_);
        return buffer;
    }
    void download(const core::BufferRef& buffer, void* data) const {
        if (buffer.size() > 0) buffer.copy_to_host(data, buffer.size(), stream_);
    }
    void wait() const { stream_.sync(); }

private:
    static void require(const void* data, uint64_t count) {
        if (data == nullptr && count > 0) {
            throw InvalidArgument("copying to the device", "host memory",
                                  "it is null, expected " + std::to_string(count) + " elements");
        }
    }

    core::Device device_;
    core::Stream stream_;
};

void require_same_count(const char* operation, uint64_t first, uint64_t second) {
    if (first != second) {
        throw InvalidArgument(
            operation, "host memory",
            "one part has " + std::to_string(first) + " elements and the other " + std::to_string(second));
    }
}

// Throws InvalidArgument for what cannot be called.
Execution runnable(const char* operation, Execution execution) {
    if (execution.is_ahead_of_time()) {
        throw InvalidArgument(operation, "an execution ahead of time",
                              "it is for an algorithm that is built to be saved; this call runs one at once",
                              "give a device or the host's cores");
    }
    return execution;
}

// For the host's cores, which work where the memory is.
Input in_place(const HostInput& input) {
    return {static_cast<const std::byte*>(input.data)};
}
Output in_place(const HostOutput& output) {
    return {static_cast<std::byte*>(output.data)};
}

template <class Sort>
void sort_on_device(const Sort& sort, const HostOutput& keys, const std::optional<HostOutput>& values,
                    int32_t device_id) {
    if (values) require_same_count("sorting", keys.count, values->count);
    const Job job(device_id);
    const core::Buffer keys_in = job.upload(keys.type, keys.data, keys.count);
    const core::Buffer values_in = values ? job.upload(values->type, values->data, values->count) : core::Buffer();
    const core::Buffer keys_out = job.memory_for(keys.type, keys.count);
    const core::Buffer values_out = values ? job.memory_for(values->type, values->count) : core::Buffer();
    if (values) {
        sort(job.stream(), keys_in, keys_out, values_in, values_out, keys.count);
    } else {
        sort(job.stream(), keys_in, keys_out, keys.count);
    }
    job.download(keys_out, keys.data);
    if (values) job.download(values_out, values->data);
    job.wait();
}

template <class Sort>
void sort_on_host(const Sort& sort, const HostOutput& keys, const std::optional<HostOutput>& values) {
    const Input keys_in(static_cast<const std::byte*>(keys.data));
    if (!values) return sort({}, keys_in, in_place(keys), keys.count);
    require_same_count("sorting", keys.count, values->count);
    sort({}, keys_in, in_place(keys), static_cast<const std::byte*>(values->data), in_place(*values), keys.count);
}

std::optional<Type> type_of(const std::optional<HostOutput>& values) {
    return values ? std::optional(values->type) : std::nullopt;
}

}  // namespace

void reduce(const HostInput& data, const Value& init, const Operator& op, void* result, const Execution& execution) {
    const Reduce built(Iterator::pointer(data.type), op, init.type(), runnable("reducing", execution));
    if (execution.is_host()) return built({}, in_place(data), static_cast<std::byte*>(result), data.count, init);
    const Job job(execution.device_id());
    const core::Buffer input = job.upload(data.type, data.data, data.count);
    const core::Buffer output = job.memory_for(init.type(), 1);
    built(job.stream(), input, output, data.count, init);
    job.download(output, result);
    job.wait();
}

void scan(ScanKind kind, const HostInput& data, const std::optional<Value>& init, const Operator& op,
          const HostOutput& output, const Execution& execution) {
    require_same_count("scanning", data.count, output.count);
    const Scan built(kind, Iterator::pointer(data.type), op, output.type, runnable("scanning", execution));
    if (execution.is_host()) {
        if (init) return built({}, in_place(data), in_place(output), data.count, *init);
        return built({}, in_place(data), in_place(output), data.count);
    }
    const Job job(execution.device_id());
    const core::Buffer input = job.upload(data.type, data.data, data.count);
    const core::Buffer result = job.memory_for(output.type, output.count);
    if (init) {
        built(job.stream(), input, result, data.count, *init);
    } else {
        built(job.stream(), input, result, data.count);
    }
    job.download(result, output.data);
    job.wait();
}

void transform(const HostInput& data, const Operator& op, const HostOutput& output, const Execution& execution) {
    require_same_count("transforming", data.count, output.count);
    const Transform built(Iterator::pointer(data.type), op, output.type, runnable("transforming", execution));
    if (execution.is_host()) return built({}, in_place(data), in_place(output), data.count);
    const Job job(execution.device_id());
    const core::Buffer input = job.upload(data.type, data.data, data.count);
    const core::Buffer result = job.memory_for(output.type, output.count);
    built(job.stream(), input, result, data.count);
    job.download(result, output.data);
    job.wait();
}

void transform(const HostInput& first, const HostInput& second, const Operator& op, const HostOutput& output,
               const Execution& execution) {
    require_same_count("transforming", first.count, second.count);
    require_same_count("transforming", first.count, output.count);
    const Transform built(Iterator::pointer(first.type), Iterator::pointer(second.type), op, output.type,
                          runnable("transforming", execution));
    if (execution.is_host()) return built({}, in_place(first), in_place(second), in_place(output), first.count);
    const Job job(execution.device_id());
    const core::Buffer left = job.upload(first.type, first.data, first.count);
    const core::Buffer right = job.upload(second.type, second.data, second.count);
    const core::Buffer result = job.memory_for(output.type, output.count);
    built(job.stream(), left, right, result, first.count);
    job.download(result, output.data);
    job.wait();
}

void sort(const HostOutput& keys, const std::optional<HostOutput>& values, SortOrder order,
          const Execution& execution) {
    const RadixSort built(order, keys.type, type_of(values), runnable("sorting", execution));
    if (execution.is_host()) return sort_on_host(built, keys, values);
    sort_on_device(built, keys, values, execution.device_id());
}

void sort(const HostOutput& keys, const std::optional<HostOutput>& values, const Operator& compare,
          const Execution& execution) {
    const MergeSort built(compare, keys.type, type_of(values), runnable("sorting", execution));
    if (execution.is_host()) return sort_on_host(built, keys, values);
    sort_on_device(built, keys, values, execution.device_id());
}

uint64_t select(const HostInput& data, const Operator& condition, const HostOutput& output,
                const Execution& execution) {
    constexpr const char* operation = "selecting";
    if (output.type != data.type) {
        throw InvalidArgument(operation, "output",
                              "it is of " + output.type.name() + ", the input of " + data.type.name());
    }
    require_same_count(operation, data.count, output.count);
    const Select built(Iterator::pointer(data.type), condition, runnable("selecting", execution));
    if (execution.is_host()) {
        uint64_t count = 0;
        built({}, in_place(data), in_place(output), &count, data.count);
        return count;
    }
    const Job job(execution.device_id());
    const core::Buffer input = job.upload(data.type, data.data, data.count);
    const core::Buffer selected = job.memory_for(data.type, data.count);
    const core::Buffer selected_count = job.memory_for(Type(TypeKind::uint64), 1);
    built(job.stream(), input, selected, selected_count, data.count);
    uint64_t count = 0;
    job.download(selected_count, &count);
    job.wait();
    if (count > 0) job.download(selected.slice(0, count * data.type.size()), output.data);
    job.wait();
    return count;
}

uint64_t unique_by_key(const HostOutput& keys, const HostOutput& values, const Operator& op,
                       const Execution& execution) {
    constexpr const char* operation = "keeping the first of equal keys";
    require_same_count(operation, keys.count, values.count);
    const UniqueByKey built(Iterator::pointer(keys.type), Iterator::pointer(values.type), op,
                            runnable(operation, execution));
    uint64_t count = 0;
    if (execution.is_host()) {
        built({}, static_cast<const std::byte*>(keys.data), static_cast<const std::byte*>(values.data), in_place(keys),
              in_place(values), &count, keys.count);
        return count;
    }
    const Job job(execution.device_id());
    const core::Buffer keys_in = job.upload(keys.type, keys.data, keys.count);
    const core::Buffer values_in = job.upload(values.type, values.data, values.count);
    const core::Buffer keys_out = job.memory_for(keys.type, keys.count);
    const core::Buffer values_out = job.memory_for(values.type, values.count);
    const core::Buffer selected_count = job.memory_for(Type(TypeKind::uint64), 1);
    built(job.stream(), keys_in, values_in, keys_out, values_out, selected_count, keys.count);
    job.download(selected_count, &count);
    job.wait();
    if (count > 0) {
        job.download(keys_out.slice(0, count * keys.type.size()), keys.data);
        job.download(values_out.slice(0, count * values.type.size()), values.data);
    }
    job.wait();
    return count;
}

int64_t arg_reduce(ArgKind kind, const HostInput& data, const Execution& execution) {
    const ArgReduce built(kind, Iterator::pointer(data.type), runnable("looking for an extreme element", execution));
    if (execution.is_host()) {
        std::vector<std::byte> result(built.result_type().size());
        int64_t index = -1;
        built({}, in_place(data), result.data(), data.count);
        std::memcpy(&index, result.data(), sizeof(index));
        return index;
    }
    const Job job(execution.device_id());
    const core::Buffer input = job.upload(data.type, data.data, data.count);
    const core::Buffer output = job.memory_for(built.result_type(), 1);
    built(job.stream(), input, output, data.count);
    int64_t index = -1;
    output.slice(0, sizeof(index)).copy_to_host(&index, sizeof(index), job.stream());
    job.wait();
    return index;
}

}  // namespace cuprum::parallel
