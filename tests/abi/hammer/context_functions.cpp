// Contexts and multiprocessors.
#include "choices.hpp"

namespace hammer {

namespace {

cuprum_context a_context(Turn& t) {
    return as_handle<cuprum_context>(t.handle(context));
}
// Resources as they were given out, damaged, or cut short.
struct Resources {
    std::string bytes;
    uint64_t size;
    explicit Resources(Turn& t, size_t count = 1)
        : bytes(t.shared.multiprocessors.substr(0, count * CUPRUM_SM_RESOURCE_SIZE)), size(bytes.size()) {
        if (t.random.one_in(6)) bytes[t.random.below(8)] = static_cast<char>(t.random.next());
        if (t.random.one_in(6)) size = t.random.below(size + 1);
    }
    const void* data(Turn& t) const { return t.random.one_in(12) ? nullptr : bytes.data(); }
};

}  // namespace

std::vector<Function> context_functions() {
    return {
        {"cuprum_context_create", 8,
         [](Turn& t) {
             const Resources resources(t, t.random.one_in(2) ? 1 : 2);
             return cuprum_context_create(t.output_handle<cuprum_context>(context), device(t), resources.data(t),
                                          resources.size);
         }},
        // Of CUDA 13.1, which the simulator is not here.
        {"cuprum_context_create_with_workqueue", 8,
         [](Turn& t) {
             const Resources resources(t);
             return cuprum_context_create_with_workqueue(
                 t.output_handle<cuprum_context>(context), device(t), resources.data(t), resources.size,
                 static_cast<int32_t>(t.random.below(3)), static_cast<int32_t>(t.random.below(3)));
         }},
        {"cuprum_workqueue_of_context", 20,
         [](Turn& t) { return cuprum_workqueue_of_context(t.output<int32_t>(), t.output<int32_t>(), a_context(t)); }},
        {"cuprum_workqueue_of_device", 20,
         [](Turn& t) { return cuprum_workqueue_of_device(t.output<int32_t>(), t.output<int32_t>(), device(t)); }},
        {"cuprum_context_create_stream", 20,
         [](Turn& t) {
             const cuprum_stream_options options{t.struct_size(12, 12), static_cast<int32_t>(t.random.below(2)), 0};
             return cuprum_context_create_stream(t.output_handle<cuprum_stream>(stream), a_context(t),
                                                 t.random.one_in(3) ? nullptr : &options);
         }},
        // Without a current context it gives none, and succeeds.
        {"cuprum_context_current", 40,
         [](Turn& t) {
             cuprum_device_set_current(0);
             return cuprum_context_current(t.output_handle<cuprum_context>(context));
         }},
        {"cuprum_context_destroy", 60, [](Turn& t) { return destroy(context, t.doomed(context)); }},
        {"cuprum_context_device", 40, [](Turn& t) { return cuprum_context_device(t.output<int32_t>(), a_context(t)); }},
        {"cuprum_context_is_green", 40,
         [](Turn& t) { return cuprum_context_is_green(t.output<int32_t>(), a_context(t)); }},
        {"cuprum_context_native", 40,
         [](Turn& t) { return cuprum_context_native(t.output<uint64_t>(), a_context(t)); }},
        {"cuprum_context_of_device", 40,
         [](Turn& t) { return cuprum_context_of_device(t.output_handle<cuprum_context>(context), device(t)); }},
        {"cuprum_context_of_stream", 40,
         [](Turn& t) { return cuprum_context_of_stream(t.output_handle<cuprum_context>(context), a_stream(t)); }},
        // Only the primary context: a green one may be destroyed while it is current on this thread.
        {"cuprum_context_set_current", 20,
         [](Turn& t) {
             const auto primary = as_handle<cuprum_context>(t.shared.lasting[context].front());
             return cuprum_context_set_current(
                 t.random.one_in(2) ? primary : as_handle<cuprum_context>(t.bad_handle(event, false)));
         }},
        {"cuprum_sm_resource_info", 40,
         [](Turn& t) {
             const Resources resource(t);
             return cuprum_sm_resource_info(t.output<int32_t>(), t.output<int32_t>(), t.output<int32_t>(),
                                            t.output<int32_t>(), resource.data(t), resource.size);
         }},
        {"cuprum_sm_resource_of_context", 30,
         [](Turn& t) {
             return cuprum_sm_resource_of_context(t.output<const void*>(), t.output<uint64_t>(), a_context(t));
         }},
        {"cuprum_sm_resource_of_device", 30,
         [](Turn& t) {
             return cuprum_sm_resource_of_device(t.output<const void*>(), t.output<uint64_t>(), device(t));
         }},
        {"cuprum_sm_resource_split", 30,
         [](Turn& t) {
             constexpr std::array<int32_t, 5> numbers{0, 1, 2, -1, INT32_MAX};
             const Resources resource(t);
             // What a split has made is not split again: the device's own is.
             const void* all = nullptr;
             uint64_t size = 0;
             std::string copy;
             if (t.random.one_in(2) && cuprum_sm_resource_of_device(&all, &size, 0) == CUPRUM_SUCCESS) {
                 copy.assign(static_cast<const char*>(all), size);
             }
             return cuprum_sm_resource_split(t.output<const void*>(), t.output<uint64_t>(),
                                             copy.empty() ? resource.data(t) : copy.data(),
                                             copy.empty() ? resource.size : copy.size(), t.random.pick(numbers),
                                             t.random.pick(numbers), static_cast<int32_t>(t.random.below(2)));
         }},
    };
}

}  // namespace hammer
