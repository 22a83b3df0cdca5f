// What finds the toolkit, the bindings, and what every program has.
#include "choices.hpp"

namespace hammer {

namespace {

cuprum_toolkit a_toolkit(Turn& t) {
    return as_handle<cuprum_toolkit>(t.handle(toolkit));
}
const char* library(Turn& t) {
    return text(t, std::array<const char*, 4>{"driver", "runtime", "nvrtc", "nvjitlink"});
}
const char* function_name(Turn& t) {
    return text(t, std::array<const char*, 5>{"cuMemAlloc", "cudaMalloc", "nvrtcVersion", "nvJitLinkCreate", "cuInit"});
}
int32_t part_kind(Turn& t) {
    return choice(t, std::array<int32_t, 5>{0, 1, 2, 3, 4});
}
const char* part_name(Turn& t) {
    return text(t, std::array<const char*, 7>{"nvrtc", "cccl", "device", "cudart", "nvcc", "cudadevrt", "cuda"});
}

template <class Find>
cuprum_status find(Turn& t, Find* function, const char* const* names, size_t number) {
    const char* const name = t.random.one_in(4) ? part_name(t) : names[t.random.below(number)];
    return function(t.output<const char*>(), t.output<const char*>(), name);
}

}  // namespace

std::vector<Function> pathfinder_functions() {
    return {
        {"cuprum_add_wheel_directory", 1,
         [](Turn& t) { return cuprum_add_wheel_directory(text(t, std::array<const char*, 2>{"/nowhere", "/tmp"})); }},
        {"cuprum_bindings_address_of", 40,
         [](Turn& t) { return cuprum_bindings_address_of(t.output<uint64_t>(), library(t), function_name(t)); }},
        {"cuprum_bindings_end_fault", 40,
         [](Turn& t) {
             const uint64_t fault = t.random.one_in(8)
                                        ? t.random.next()
                                        : t.shared.faults[t.random.below(t.shared.faults.size())].exchange(0);
             return cuprum_bindings_end_fault(t.output<uint64_t>(), fault);
         }},
        {"cuprum_bindings_field_layout", 100,
         [](Turn& t) {
             return cuprum_bindings_field_layout(t.output<uint32_t>(), t.output<uint32_t>(),
                                                 text(t, std::array<const char*, 1>{"driver"}),
                                                 text(t, std::array<const char*, 1>{"CUDA_MEMCPY2D_st"}),
                                                 text(t, std::array<const char*, 2>{"Height", "srcHost"}));
         }},
        {"cuprum_bindings_find", 100,
         [](Turn& t) {
             return cuprum_bindings_find(t.output_struct<cuprum_bindings_function>(), library(t), function_name(t));
         }},
        {"cuprum_bindings_function_at", 100,
         [](Turn& t) {
             return cuprum_bindings_function_at(t.output_struct<cuprum_bindings_function>(), library(t),
                                                static_cast<uint32_t>(size(t)));
         }},
        {"cuprum_bindings_function_count", 100,
         [](Turn& t) { return cuprum_bindings_function_count(t.output<uint32_t>(), library(t)); }},
        {"cuprum_bindings_inject_fault", 10,
         [](Turn& t) {
             // A function that nothing else here needs.
             const char* const item =
                 text(t, std::array<const char*, 4>{"cuMemGetInfo:2=CUDA_ERROR_UNKNOWN", "cuProfilerSt*:1+=2", "=",
                                                    "cuMemGetInfo:0=2"});
             uint64_t fault = 0;
             const bool is_given = !t.random.one_in(40);
             const cuprum_status status = cuprum_bindings_inject_fault(&fault, is_given ? item : nullptr);
             if (status == CUPRUM_SUCCESS) {
                 const uint64_t replaced = t.shared.faults[t.random.below(t.shared.faults.size())].exchange(fault);
                 if (replaced != 0) cuprum_bindings_end_fault(nullptr, replaced);
             }
             return status;
         }},
        {"cuprum_bindings_is_loaded", 100,
         [](Turn& t) { return cuprum_bindings_is_loaded(t.output<int32_t>(), library(t)); }},
        {"cuprum_bindings_library_version", 20,
         [](Turn& t) { return cuprum_bindings_library_version(t.output<int32_t>(), library(t)); }},
        {"cuprum_bindings_record_layout", 100,
         [](Turn& t) {
             return cuprum_bindings_record_layout(t.output<uint32_t>(), t.output<uint32_t>(),
                                                  text(t, std::array<const char*, 1>{"driver"}),
                                                  text(t, std::array<const char*, 1>{"CUDA_MEMCPY2D_st"}));
         }},
        {"cuprum_bindings_start_trace", 1,
         [](Turn& t) {
             // No names that could be made into files.
             constexpr std::array<const char*, 4> paths{"/dev/null", "/nowhere/trace", "", nullptr};
             return cuprum_bindings_start_trace(t.random.pick(paths));
         }},
        {"cuprum_bindings_stop_trace", 4, [](Turn&) { return cuprum_bindings_stop_trace(); }},
        {"cuprum_bindings_take_failure", 100, [](Turn&) { return cuprum_bindings_take_failure(); }},
        {"cuprum_bindings_use_per_thread_default_stream", 20,
         [](Turn& t) {
             constexpr std::array<int32_t, 4> values{0, 0, 2, -1};
             return cuprum_bindings_use_per_thread_default_stream(t.random.pick(values));
         }},
        {"cuprum_doctor", 1, [](Turn& t) { return cuprum_doctor(t.output<uint32_t>()); }},
        {"cuprum_error_last", 100, [](Turn& t) { return cuprum_error_last(t.output_struct<cuprum_error_info>()); }},
        {"cuprum_error_status_name", 100,
         [](Turn& t) {
             const char* const name = cuprum_error_status_name(static_cast<int32_t>(t.random.below(200)) - 100);
             const bool is_named = name != nullptr && *name != '\0';
             return cuprum_status{is_named ? CUPRUM_SUCCESS : CUPRUM_ERROR_INTERNAL};
         }},
        {"cuprum_find_binary_utility", 10,
         [](Turn& t) {
             constexpr std::array<const char*, 2> names{"nvcc", "cuobjdump"};
             return find(t, &cuprum_find_binary_utility, names.data(), names.size());
         }},
        {"cuprum_find_bitcode_library", 10,
         [](Turn& t) {
             constexpr std::array<const char*, 1> names{"device"};
             return find(t, &cuprum_find_bitcode_library, names.data(), names.size());
         }},
        {"cuprum_find_header_directory", 20,
         [](Turn& t) {
             constexpr std::array<const char*, 2> names{"cudart", "cccl"};
             return find(t, &cuprum_find_header_directory, names.data(), names.size());
         }},
        {"cuprum_find_library", 20,
         [](Turn& t) {
             constexpr std::array<const char*, 2> names{"nvrtc", "cudart"};
             return find(t, &cuprum_find_library, names.data(), names.size());
         }},
        {"cuprum_find_part", 20,
         [](Turn& t) {
             return cuprum_find_part(t.output<const char*>(), t.output<const char*>(), part_kind(t), part_name(t));
         }},
        {"cuprum_find_static_library", 10,
         [](Turn& t) {
             constexpr std::array<const char*, 2> names{"cudadevrt", "cudart_static"};
             return find(t, &cuprum_find_static_library, names.data(), names.size());
         }},
        {"cuprum_finding", 100,
         [](Turn& t) {
             return cuprum_finding(t.output<int32_t>(), t.output<const char*>(), t.output<const char*>(),
                                   t.output<const char*>(), static_cast<uint32_t>(size(t)));
         }},
        {"cuprum_include_directory", 20,
         [](Turn& t) { return cuprum_include_directory(t.output<const char*>(), static_cast<uint32_t>(size(t))); }},
        {"cuprum_include_directory_count", 20,
         [](Turn& t) { return cuprum_include_directory_count(t.output<uint32_t>()); }},
        {"cuprum_info_json", 1, [](Turn& t) { return cuprum_info_json(t.output<const char*>()); }},
        {"cuprum_live_handles", 100, [](Turn& t) { return cuprum_live_handles(t.output<uint64_t>()); }},
        {"cuprum_load_library", 5,
         [](Turn& t) {
             return cuprum_load_library(t.output<const char*>(), t.output<const char*>(), t.output<uint64_t>(),
                                        t.output<int32_t>(), text(t, std::array<const char*, 2>{"nvrtc", "cudart"}));
         }},
        {"cuprum_part_count", 100, [](Turn& t) { return cuprum_part_count(t.output<uint32_t>(), part_kind(t)); }},
        {"cuprum_part_info", 100,
         [](Turn& t) {
             return cuprum_part_info(t.output<const char*>(), t.output<const char*>(), t.output<int32_t>(),
                                     part_kind(t), static_cast<uint32_t>(size(t)));
         }},
        {"cuprum_reset_pathfinder", 1, [](Turn&) { return cuprum_reset_pathfinder(); }},
        {"cuprum_toolkit_check", 1, [](Turn& t) { return cuprum_toolkit_check(t.output<uint32_t>(), a_toolkit(t)); }},
        {"cuprum_toolkit_describe", 100,
         [](Turn& t) {
             return cuprum_toolkit_describe(t.output<const char*>(), t.output<const char*>(), t.output<const char*>(),
                                            a_toolkit(t));
         }},
        {"cuprum_toolkit_destroy", 40, [](Turn& t) { return destroy(toolkit, t.doomed(toolkit)); }},
        {"cuprum_toolkit_find", 2,
         [](Turn& t) {
             const char* const names[]{"nvcc", t.random.one_in(4) ? nullptr : "bogus"};
             return cuprum_toolkit_find(t.output_handle<cuprum_toolkit>(toolkit),
                                        text(t, std::array<const char*, 4>{"", ">=12.4,<20", ">=13", "99"}),
                                        t.random.one_in(8) ? nullptr : names,
                                        static_cast<uint32_t>(t.random.one_in(3) ? t.random.below(3) : 0));
         }},
        {"cuprum_toolkit_find_part", 20,
         [](Turn& t) {
             return cuprum_toolkit_find_part(t.output<const char*>(), t.output<const char*>(), a_toolkit(t),
                                             part_kind(t), part_name(t));
         }},
        {"cuprum_toolkit_in_use", 20,
         [](Turn& t) { return cuprum_toolkit_in_use(t.output_handle<cuprum_toolkit>(toolkit)); }},
        {"cuprum_toolkit_load_library", 5,
         [](Turn& t) {
             return cuprum_toolkit_load_library(t.output<const char*>(), t.output<const char*>(), t.output<uint64_t>(),
                                                t.output<int32_t>(), a_toolkit(t),
                                                text(t, std::array<const char*, 2>{"nvrtc", "cudart"}));
         }},
        {"cuprum_toolkit_use", 2, [](Turn& t) { return cuprum_toolkit_use(a_toolkit(t)); }},
        {"cuprum_version", 100, [](Turn& t) { return cuprum_version(t.output<int32_t>()); }},
    };
}

}  // namespace hammer
