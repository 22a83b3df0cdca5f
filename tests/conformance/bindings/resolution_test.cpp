// Every function of every list, as far as the resolver, in the libraries of this machine.
#include "fixture.hpp"

namespace cuprum::bindings::test {
namespace {

class EveryFunction : public testing::TestWithParam<Library*> {};

TEST_P(EveryFunction, IsThereOrItsAbsenceIsExplained) {
    Library& library = *GetParam();
    const int version = library.version();
    // The simulator's NVML has what core needs; the rest is missing, and says so.
    const bool is_part = library.load().is_simulator && std::string(library.name()) == "nvml";
    std::size_t present = 0;
    for (const Function& function : library.functions()) {
        take_resolution_failure();
        if (library.address_of(function.name) != nullptr) {
            ++present;
            continue;
        }
        const auto failure = take_resolution_failure();
        ASSERT_TRUE(failure.has_value()) << function.name;
        EXPECT_EQ(failure->function, function.name);
        EXPECT_EQ(failure->library_version, version);
        // A library of the headers' own version lacks nothing that they declare; only what needs another API's library
        // may be missing from a driver that was built without it.
        EXPECT_TRUE(is_part || version < function.version || version != CUDA_VERSION) << failure->to_error().what();
    }
    RecordProperty(library.name(), std::to_string(present) + " of " + std::to_string(library.functions().size()));
    EXPECT_GT(present, is_part ? 50 : library.functions().size() / 2);
}

void* asked_for(const char* name, int version) {
    void* address = nullptr;
    CUdriverProcAddressQueryResult found{};
    EXPECT_OK(driver::cuGetProcAddress(name, &address, version, CU_GET_PROC_ADDRESS_DEFAULT, &found)) << name;
    return address;
}

// Functions that CUDA 12 and 13 declare differently, and since when there is the newer signature.
TEST(AFunctionOfSeveralSignatures, IsTheOneThatWasCompiled) {
    constexpr struct {
        const char* name;
        int before;
        int since;
    } changed[] = {{"cuCtxCreate", 3020, 12050},        {"cuDeviceGetUuid", 9020, 11040},
                   {"cuEventElapsedTime", 2000, 12080}, {"cuGraphGetEdges", 10000, 12030},
                   {"cuMemAdvise", 8000, 12020},        {"cuMemPrefetchAsync", 8000, 12020}};
    for (const auto& [name, before, since] : changed) {
        const int compiled = CUDA_VERSION >= 13000 ? since : before;
        const int other = CUDA_VERSION >= 13000 ? before : since;
        if (driver::version() < since) continue;  // the driver has the older one alone
        void* const address = reinterpret_cast<void*>(driver::address_of(name));
        EXPECT_EQ(address, asked_for(name, compiled)) << name;
        EXPECT_NE(address, asked_for(name, other)) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(OfEachLibrary, EveryFunction, testing::ValuesIn(libraries().begin(), libraries().end()),
                         [](const auto& instance) { return std::string(instance.param->name()); });

}  // namespace
}  // namespace cuprum::bindings::test
