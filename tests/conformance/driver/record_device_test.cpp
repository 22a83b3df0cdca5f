// Against the record: device attributes, limits, the names of errors, cuGetProcAddress, green contexts' resources.
#include <algorithm>
#include <fstream>

#include "driver_api.hpp"
#include "record.hpp"

namespace cuprum::test {
namespace {

class DeviceRecordTest : public DriverTest {};

TEST_F(DeviceRecordTest, EveryAttribute) {
    if (!Record::applies()) return;
    Record record("attribute");
    for (int which = 0; which <= CU_DEVICE_ATTRIBUTE_MAX + 1; ++which) {
        if (which == CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED) continue;  // hangs on the GPUs beside it
        int value = 0;
        const CUresult code = cu().cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(which), device);
        record.check(std::to_string(which), code, value);
    }
}

TEST_F(DeviceRecordTest, EveryLimit) {
    if (!Record::applies()) return;
    Record record("limit");
    for (int which = 0; which <= CU_LIMIT_MAX + 1; ++which) {
        const auto limit = static_cast<CUlimit>(which);
        const std::string name = std::to_string(which);
        size_t value = 0;
        const CUresult code = cu().cuCtxGetLimit(&value, limit);
        record.check(name, code, static_cast<long long>(value));
        record.check(name + ".set", cu().cuCtxSetLimit(limit, code == CUDA_SUCCESS ? value : 1));
    }
}

TEST_F(DeviceRecordTest, EveryErrorsName) {
    if (!Record::applies()) return;
    Record record("error");
    for (int code = 0; code <= 1000; ++code) {
        const char* name = nullptr;
        const char* text = nullptr;
        if (cu().cuGetErrorName(static_cast<CUresult>(code), &name) != CUDA_SUCCESS) continue;
        record.check(std::to_string(code), name);
        EXPECT_OK(cu().cuGetErrorString(static_cast<CUresult>(code), &text));
        EXPECT_TRUE(text != nullptr && *text != '\0') << name << " has no description";
    }
}

// The exported symbol that a pointer is, of all forms of a function.
std::string symbol_of(const std::string& name, void* function) {
    for (const char* const variant : {"", "_ptsz", "_ptds"}) {
        for (const char* const version : {"", "_v2", "_v3", "_v4", "_v5"}) {
            const std::string candidate = name + version + variant;
            if (cu().symbol(candidate.c_str()) == function) return candidate;
        }
    }
    return "another";
}

// For each version from which the answer is another one, the version and the symbol.
std::string forms_of(const std::string& name, cuuint64_t flags) {
    const int versions[] = {1000,  2000,  2010,  2020,  2030,  3000,  3010,  3020,  4000,  4010,  4020,
                            5000,  5050,  6000,  6050,  7000,  7050,  8000,  9000,  9010,  9020,  10000,
                            10010, 10020, 11000, 11010, 11020, 11030, 11040, 11050, 11060, 11070, 11080,
                            12000, 12010, 12020, 12030, 12040, 12050, 12060, 12070, 12080, 12090, 13000};
    std::string forms, last;
    for (const int version : versions) {
        void* function = nullptr;
        CUdriverProcAddressQueryResult status{};
        const CUresult code = cu().cuGetProcAddress(name.c_str(), &function, version, flags, &status);
        std::string form;
        if (code != CUDA_SUCCESS) {
            form = short_name(code);
        } else if (function == nullptr) {
            form = status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT ? "too_old" : "unknown";
        } else {
            form = symbol_of(name, function);
            if (status != CU_GET_PROC_ADDRESS_SUCCESS) form += '?';
        }
        if (form != last) forms += (forms.empty() ? "" : " ") + std::to_string(version) + ":" + form;
        last = form;
    }
    return forms;
}

TEST_F(DeviceRecordTest, EveryFunctionsFormInEveryVersion) {
    if (!Record::applies()) return;
    Record record("function");
    std::ifstream names(data_folder() + "/driver/functions.txt");
    ASSERT_TRUE(names.good());
    for (std::string name; std::getline(names, name);) {
        record.check(name, forms_of(name, CU_GET_PROC_ADDRESS_LEGACY_STREAM));
        record.check(name + ".per_thread", forms_of(name, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
    }
}

TEST_F(DeviceRecordTest, UnusualQuestionsForFunctions) {
    if (!Record::applies()) return;
    Record record("function_query");
    const auto ask = [&](const std::string& label, const char* name, int version, cuuint64_t flags) {
        void* function = nullptr;
        CUdriverProcAddressQueryResult status{};
        const CUresult code = cu().cuGetProcAddress(name, &function, version, flags, &status);
        record.check(label, short_name(code) + " " + std::to_string(status) + (function != nullptr ? " found" : ""));
    };
    ask("newer_than_the_driver", "cuMemAlloc", 99990, 0);
    ask("version_zero", "cuMemAlloc", 0, 0);
    ask("negative_version", "cuMemAlloc", -1, 0);
    ask("both_streams", "cuMemAlloc", 13000, 3);
    ask("unknown_flag", "cuMemAlloc", 13000, 4);
    ask("suffixed_name", "cuMemAlloc_v2", 13000, 0);
    ask("per_thread_name", "cuLaunchKernel_ptsz", 13000, 0);
    ask("empty_name", "", 13000, 0);
}

// Also what is no type.
CUdevResourceType resource_type_of(int number) {
    return static_cast<CUdevResourceType>(number);
}

std::string text_of(const CUdevResource& resource) {
    return "type " + std::to_string(resource.type) + " count " + std::to_string(resource.sm.smCount) + " least " +
           std::to_string(resource.sm.minSmPartitionSize) + " alignment " +
           std::to_string(resource.sm.smCoscheduledAlignment);
}

TEST_F(DeviceRecordTest, MultiprocessorsAreSplit) {
    if (!Record::applies()) return;
    Record record("split");
    CUdevResource all{};
    record.check("device", cu().cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM));
    record.check("device.resource", text_of(all));
    CUdevResource other{};
    for (const int type : {0, 2, 3, 1000, 10000}) {
        record.check("type." + std::to_string(type),
                     cu().cuDeviceGetDevResource(device, &other, resource_type_of(type)));
    }
    record.check("context", cu().cuCtxGetDevResource(context, &other, CU_DEV_RESOURCE_TYPE_SM));
    record.check("context.resource", text_of(other));
    const unsigned int counts[] = {0, 1, 2, 3, 8, 9, 16, 17, 40, 66, 100, 130, 132, 133};
    for (const unsigned int flags : {0u, 1u, 2u, 3u, 4u}) {
        for (const unsigned int least : counts) {
            const std::string name = std::to_string(flags) + "." + std::to_string(least);
            unsigned int groups = 777;
            CUresult code = cu().cuDevSmResourceSplitByCount(nullptr, &groups, &all, nullptr, flags, least);
            record.check(name + ".possible", code, groups);
            for (const unsigned int wanted : {1u, 3u, 70u}) {
                CUdevResource parts[70]{};
                CUdevResource rest{};
                groups = wanted;
                code = cu().cuDevSmResourceSplitByCount(parts, &groups, &all, &rest, flags, least);
                record.check(name + "." + std::to_string(wanted),
                             code == CUDA_SUCCESS
                                 ? std::to_string(groups) + " of " + text_of(parts[0]) + ", last " +
                                       text_of(parts[groups > 0 ? groups - 1 : 0]) + ", rest " + text_of(rest)
                                 : short_name(code));
            }
        }
    }
}

TEST_F(DeviceRecordTest, GreenContexts) {
    if (!Record::applies()) return;
    Record record("green");
    CUdevResource all{}, parts[4]{}, rest{}, seen{};
    ASSERT_OK(cu().cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM));
    unsigned int groups = 4, more = 1;
    groups = 0;
    record.check("split_into_none", cu().cuDevSmResourceSplitByCount(parts, &groups, &all, &rest, 0, 8));
    groups = 4;
    ASSERT_OK(cu().cuDevSmResourceSplitByCount(parts, &groups, &all, &rest, 0, 8));
    CUdevResource again{};
    record.check("split_a_part", cu().cuDevSmResourceSplitByCount(&again, &more, &parts[0], nullptr, 0, 8));
    more = 1;
    record.check("split_the_rest", cu().cuDevSmResourceSplitByCount(&again, &more, &rest, nullptr, 0, 8));
    CUdevResource invalid{};
    more = 1;
    record.check("split_an_invalid_one", cu().cuDevSmResourceSplitByCount(&again, &more, &invalid, nullptr, 0, 8));

    CUdevResourceDesc description = nullptr, whole = nullptr, several = nullptr, remainder = nullptr;
    record.check("describe_invalid", cu().cuDevResourceGenerateDesc(&description, &invalid, 1));
    record.check("describe", cu().cuDevResourceGenerateDesc(&description, parts, 1));
    record.check("describe_all", cu().cuDevResourceGenerateDesc(&whole, &all, 1));
    record.check("describe_two", cu().cuDevResourceGenerateDesc(&several, parts, 2));
    record.check("describe_the_rest", cu().cuDevResourceGenerateDesc(&remainder, &rest, 1));
    CUdevResource twice[2] = {parts[0], parts[0]};
    CUdevResourceDesc doubled = nullptr;
    record.check("describe_one_twice", cu().cuDevResourceGenerateDesc(&doubled, twice, 2));
    CUdevResource mixed[2] = {parts[0], all};
    record.check("describe_part_and_whole", cu().cuDevResourceGenerateDesc(&doubled, mixed, 2));
    CUdevResource other_parts[4]{};
    more = 4;
    ASSERT_OK(cu().cuDevSmResourceSplitByCount(other_parts, &more, &all, nullptr, 0, 16));
    CUdevResource strangers[2] = {parts[0], other_parts[1]};
    record.check("describe_of_two_splits", cu().cuDevResourceGenerateDesc(&doubled, strangers, 2));

    CUgreenCtx green = nullptr;
    record.check("create_without_flag", cu().cuGreenCtxCreate(&green, description, device, 0));
    record.check("create_with_unknown_flag", cu().cuGreenCtxCreate(&green, description, device, 3));
    record.check("create_elsewhere", cu().cuGreenCtxCreate(&green, description, 77, CU_GREEN_CTX_DEFAULT_STREAM));
    record.check("create", cu().cuGreenCtxCreate(&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM));
    CUgreenCtx second = nullptr;
    record.check("create_again", cu().cuGreenCtxCreate(&second, description, device, CU_GREEN_CTX_DEFAULT_STREAM));
    CUgreenCtx wide = nullptr;
    record.check("create_of_two", cu().cuGreenCtxCreate(&wide, several, device, CU_GREEN_CTX_DEFAULT_STREAM));
    record.check("resource", cu().cuGreenCtxGetDevResource(green, &seen, CU_DEV_RESOURCE_TYPE_SM));
    record.check("resource.value", text_of(seen));
    record.check("resource_of_two", cu().cuGreenCtxGetDevResource(wide, &seen, CU_DEV_RESOURCE_TYPE_SM));
    record.check("resource_of_two.value", text_of(seen));
    record.check("resource_of_type_7", cu().cuGreenCtxGetDevResource(green, &seen, resource_type_of(7)));
    ASSERT_OK(cu().cuGreenCtxGetDevResource(green, &seen, CU_DEV_RESOURCE_TYPE_SM));
    more = 1;
    record.check("split_a_contexts", cu().cuDevSmResourceSplitByCount(&again, &more, &seen, nullptr, 1, 2));

    CUcontext as_context = nullptr, as_context_again = nullptr, current = nullptr;
    record.check("context", cu().cuCtxFromGreenCtx(&as_context, green));
    ASSERT_OK(cu().cuCtxFromGreenCtx(&as_context_again, green));
    record.check("context_is_the_primary", as_context == context ? "yes" : "no");
    record.check("context_is_always_the_same", as_context == as_context_again ? "yes" : "no");
    record.check("contexts_resource", cu().cuCtxGetDevResource(as_context, &seen, CU_DEV_RESOURCE_TYPE_SM));
    record.check("contexts_resource.value", text_of(seen));
    unsigned long long identifier = 0, of_context = 0, of_primary = 0;
    record.check("identifier", cu().cuGreenCtxGetId(green, &identifier));
    ASSERT_OK(cu().cuCtxGetId(as_context, &of_context));
    ASSERT_OK(cu().cuCtxGetId(context, &of_primary));
    record.check("identifier_is_the_contexts", identifier == of_context ? "yes" : "no");
    record.check("identifier_is_the_primarys", identifier == of_primary ? "yes" : "no");
    unsigned int version = 0, primary_version = 0, flags = 77;
    record.check("version", cu().cuCtxGetApiVersion(as_context, &version));
    ASSERT_OK(cu().cuCtxGetApiVersion(context, &primary_version));
    record.check("version_is_the_primarys", version == primary_version ? "yes" : "no");

    CUstream stream = nullptr;
    CUgreenCtx of_stream = nullptr;
    record.check("stream_with_default_flags", cu().cuGreenCtxStreamCreate(&stream, green, CU_STREAM_DEFAULT, 0));
    record.check("stream", cu().cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, -100));
    int priority = 77;
    ASSERT_OK(cu().cuStreamGetPriority(stream, &priority));
    record.check("stream_priority", std::to_string(priority));
    ASSERT_OK(cu().cuStreamGetFlags(stream, &flags));
    record.check("stream_flags", std::to_string(flags));
    record.check("of_stream", cu().cuStreamGetGreenCtx(stream, &of_stream));
    record.check("of_stream.value", of_stream == green ? "it" : of_stream == nullptr ? "none" : "another");
    record.check("of_primary_stream", cu().cuStreamGetGreenCtx(nullptr, &of_stream));
    record.check("of_primary_stream.value", of_stream == nullptr ? "none" : "one");
    CUcontext stream_context = nullptr;
    CUgreenCtx stream_green = nullptr;
    ASSERT_OK(cu().cuStreamGetCtx(stream, &stream_context));
    record.check("streams_context", stream_context == as_context ? "green's"
                                    : stream_context == context  ? "primary"
                                                                 : "?");
    const auto get_context_2 =
        reinterpret_cast<CUresult (*)(CUstream, CUcontext*, CUgreenCtx*)>(cu().symbol("cuStreamGetCtx_v2"));
    record.check("streams_contexts", get_context_2(stream, &stream_context, &stream_green));
    record.check("streams_contexts.values", std::string(stream_context == nullptr   ? "null"
                                                        : stream_context == context ? "primary"
                                                                                    : "green's") +
                                                " " +
                                                (stream_green == green     ? "green"
                                                 : stream_green == nullptr ? "null"
                                                                           : "?"));
    record.check("primary_streams_contexts", get_context_2(nullptr, &stream_context, &stream_green));
    record.check("primary_streams_contexts.values", std::string(stream_context == nullptr   ? "null"
                                                                : stream_context == context ? "primary"
                                                                                            : "other") +
                                                        " " + (stream_green == nullptr ? "null" : "one"));

    record.check("set_current", cu().cuCtxSetCurrent(as_context));
    ASSERT_OK(cu().cuCtxGetCurrent(&current));
    record.check("current", current == as_context ? "it" : current == context ? "primary" : "another");
    CUstream ordinary = nullptr;
    record.check("ordinary_stream", cu().cuStreamCreate(&ordinary, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(cu().cuStreamGetGreenCtx(ordinary, &of_stream));
    record.check("of_ordinary_stream", of_stream == green ? "it" : of_stream == nullptr ? "none" : "another");
    ASSERT_OK(cu().cuStreamGetGreenCtx(nullptr, &of_stream));
    record.check("of_default_stream", of_stream == green ? "it" : of_stream == nullptr ? "none" : "another");
    CUdeviceptr memory = 0;
    record.check("allocate", cu().cuMemAlloc(&memory, 64));
    CUcontext memory_context = nullptr;
    ASSERT_OK(cu().cuPointerGetAttribute(&memory_context, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
    record.check("memorys_context", memory_context == as_context ? "green's"
                                    : memory_context == context  ? "primary"
                                                                 : "?");
    CUfunction fill = nullptr;
    CUmodule loaded = nullptr;
    record.check("load", cu().cuModuleLoadData(&loaded, ptx("kernels.ptx").c_str()));
    ASSERT_OK(cu().cuModuleGetFunction(&fill, loaded, "fill"));
    unsigned value = 5, n = 16;
    void* arguments[] = {&memory, &value, &n};
    record.check("launch", cu().cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
    record.check("launch_in_ordinary", cu().cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, ordinary, arguments, nullptr));
    record.check("launch_in_default", cu().cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    int blocks = 0, least_grid = 0, block = 0;
    ASSERT_OK(cu().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 1024, 0));
    ASSERT_OK(cu().cuOccupancyMaxPotentialBlockSize(&least_grid, &block, fill, nullptr, 0, 1024));
    record.check("least_grid", std::to_string(least_grid / blocks * 1024 / block));
    record.check("cooperative_fits", cu().cuLaunchCooperativeKernel(fill, static_cast<unsigned>(8 * blocks), 1, 1, 1024,
                                                                    1, 1, 0, stream, arguments));
    record.check("cooperative_is_too_large", cu().cuLaunchCooperativeKernel(fill, static_cast<unsigned>(8 * blocks + 1),
                                                                            1, 1, 1024, 1, 1, 0, stream, arguments));
    record.check("synchronize", cu().cuCtxSynchronize());
    CUevent event = nullptr;
    ASSERT_OK(cu().cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    record.check("record_event", cu().cuGreenCtxRecordEvent(green, event));
    record.check("wait_event", cu().cuGreenCtxWaitEvent(green, event));
    ASSERT_OK(cu().cuCtxSynchronize());
    record.check("limit", cu().cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 << 20));
    record.check("set_primary_current", cu().cuCtxSetCurrent(context));
    record.check("launch_from_primary", cu().cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
    record.check("primary_function_in_green",
                 cu().cuLaunchKernel(function("fill"), 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
    ASSERT_OK(cu().cuStreamSynchronize(stream));
    ASSERT_OK(cu().cuEventDestroy(event));
    record.check("unload", cu().cuModuleUnload(loaded));
    record.check("free", cu().cuMemFree(memory));
    record.check("destroy_ordinary_stream", cu().cuStreamDestroy(ordinary));
    record.check("destroy", cu().cuGreenCtxDestroy(green));
    record.check("query_its_stream", cu().cuStreamQuery(stream));
    record.check("destroy_its_stream", cu().cuStreamDestroy(stream));
    ASSERT_OK(cu().cuCtxSetCurrent(context));
    ASSERT_OK(cu().cuGreenCtxDestroy(second));
    ASSERT_OK(cu().cuGreenCtxDestroy(wide));
}

}  // namespace
}  // namespace cuprum::test
