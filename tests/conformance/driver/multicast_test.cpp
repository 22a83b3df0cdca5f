// Multicast objects of one device, and multimem, the instruction that reaches memory through them. On a GPU these need
// one that is behind a switch with multicast.
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>

#include "driver_api.hpp"

namespace cuprum::test {
namespace {

using Words = std::vector<uint32_t>;
using Handle = CUmemGenericAllocationHandle;

constexpr size_t slot = 16;  // bytes that the longest of the instructions moves

struct Type {
    const char* name;
    unsigned bytes;
    const char* reg;                                // the register's type
    unsigned exponent_bits = 0, fraction_bits = 0;  // of floats
};
constexpr Type u32{"u32", 4, "b32"}, s32{"s32", 4, "b32"}, b32{"b32", 4, "b32"}, u64{"u64", 8, "b64"},
    s64{"s64", 8, "b64"}, b64{"b64", 8, "b64"}, f32{"f32", 4, "f32", 8, 23}, f64{"f64", 8, "f64", 11, 52},
    f16{"f16", 2, "b16", 5, 10}, bf16{"bf16", 2, "b16", 8, 7};

// Bits of a float that is a small integer.
uint64_t float_of(const Type& type, int64_t value) {
    if (value == 0) return 0;
    const auto magnitude = static_cast<uint64_t>(std::abs(value));
    const auto exponent = static_cast<unsigned>(63 - __builtin_clzll(magnitude));
    const uint64_t biased = exponent + (uint64_t{1} << (type.exponent_bits - 1)) - 1;
    const uint64_t fraction = (magnitude - (uint64_t{1} << exponent)) << (type.fraction_bits - exponent);
    const uint64_t sign = value < 0 ? uint64_t{1} << (type.exponent_bits + type.fraction_bits) : 0;
    return sign | biased << type.fraction_bits | fraction;
}

void put(std::vector<uint8_t>& bytes, const Type& type, size_t index, uint64_t bits) {
    std::memcpy(bytes.data() + index * type.bytes, &bits, type.bytes);
}

// A kernel of one thread: `instruction` ends with its type; %m is the address of the object, %v0 and on the elements.
// They come from the second parameter, and go to the third.
std::string kernel_text(const std::string& instruction, const Type& type, unsigned count, bool packed) {
    // Two halves in a register are one of its elements.
    const unsigned bytes = packed ? 4 : type.bytes;
    const std::string reg = packed ? "b32" : type.reg;
    std::string list = count > 1 ? "{" : "", loads, stores;
    for (unsigned k = 0; k < count; ++k) {
        const std::string name = "%v" + std::to_string(k), offset = std::to_string(k * bytes);
        list += (k == 0 ? "" : ", ") + name;
        loads += "ld.global." + reg + " " + name + ", [%i+" + offset + "];\n";
        stores += "st.global." + reg + " [%o+" + offset + "], " + name + ";\n";
    }
    if (count > 1) list += '}';
    const bool reads = instruction.find("ld_reduce") != std::string::npos;
    return ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 m, .param .u64 i, .param .u64 "
           "o)\n"
           "{\n.reg ." +
           reg + " %v<8>; .reg .b64 %m, %i, %o;\nld.param.u64 %m, [m]; ld.param.u64 %i, [i]; ld.param.u64 %o, [o];\n" +
           loads + "multimem." + instruction + (reads ? " " + list + ", [%m];\n" : " [%m], " + list + ";\n") + stores +
           "ret;\n}\n";
}

class MulticastTest : public DriverTest {
protected:
    static bool in_its_process() { return in_process_of_its_own({"CUPRUM_SIM=cc=9.0"}); }
    void SetUp() override {
        DriverTest::SetUp();
        int supported = 0;
        ASSERT_OK(cu().cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, device));
        if (supported == 0 && !cu().simulated) GTEST_SKIP() << "the GPU has no multicast";
        CUmulticastObjectProp wanted = properties(1);
        wanted.size = 0;
        ASSERT_OK(cu().cuMulticastGetGranularity(&unit, &wanted, CU_MULTICAST_GRANULARITY_RECOMMENDED));
    }
    CUmulticastObjectProp properties(size_t units) const {
        CUmulticastObjectProp result{};
        result.numDevices = 1;
        result.size = units * unit;
        return result;
    }
    Handle object_of(size_t units, bool with_device = true) {
        const CUmulticastObjectProp wanted = properties(units);
        Handle made = 0;
        EXPECT_OK(cu().cuMulticastCreate(&made, &wanted));
        if (with_device) {
            EXPECT_OK(cu().cuMulticastAddDevice(made, device));
        }
        return made;
    }
    Handle memory_of(size_t units) {
        CUmemAllocationProp wanted{};
        wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        wanted.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
        Handle made = 0;
        EXPECT_OK(cu().cuMemCreate(&made, units * unit, &wanted, 0));
        return made;
    }
    // Addresses at which memory or an object is mapped.
    CUdeviceptr map(Handle handle, size_t units, size_t offset = 0) {
        CUdeviceptr address = 0;
        EXPECT_OK(cu().cuMemAddressReserve(&address, units * unit, unit, 0, 0));
        EXPECT_OK(cu().cuMemMap(address, units * unit, offset, handle, 0));
        CUmemAccessDesc access{};
        access.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        EXPECT_OK(cu().cuMemSetAccess(address, units * unit, &access, 1));
        return address;
    }
    void unmap(CUdeviceptr address, size_t units) {
        EXPECT_OK(cu().cuMemUnmap(address, units * unit));
        EXPECT_OK(cu().cuMemAddressFree(address, units * unit));
    }
    // An object of one granule, and the memory that is bound to it, each at an address.
    void bind_one() {
        object = object_of(1), memory = memory_of(1);
        ASSERT_OK(cu().cuMulticastBindMem(object, 0, memory, 0, unit, 0));
        all = map(object, 1), own = map(memory, 1);
        in = allocate(slot), out = allocate(slot);
    }

    // The kernel k of the module.
    CUresult run(const std::string& text, CUdeviceptr address) {
        CUmodule loaded = nullptr;
        EXPECT_OK(cu().cuModuleLoadData(&loaded, text.c_str()));
        CUfunction kernel = nullptr;
        EXPECT_OK(cu().cuModuleGetFunction(&kernel, loaded, "k"));
        EXPECT_OK(launch(kernel, 1, 1, nullptr, {&address, &in, &out}));
        const CUresult result = cu().cuCtxSynchronize();
        if (result == CUDA_SUCCESS) {
            EXPECT_OK(cu().cuModuleUnload(loaded));
        }
        return result;
    }
    // One instruction: what it finds in memory, its elements, what it leaves in memory and, of a load, in its elements.
    void expect(const std::string& instruction, const Type& type, unsigned count, bool packed,
                const std::vector<uint8_t>& before, const std::vector<uint8_t>& operand,
                const std::vector<uint8_t>& after, const std::vector<uint8_t>& loaded) {
        ASSERT_OK(cu().cuMemcpyHtoD(own, before.data(), slot));
        ASSERT_OK(cu().cuMemcpyHtoD(in, operand.data(), slot));
        ASSERT_OK(cu().cuMemsetD8(out, 0xcc, slot));
        const std::string text = kernel_text(instruction, type, count, packed);
        ASSERT_OK(run(text, all)) << text;
        EXPECT_EQ(download<uint8_t>(own, slot), after) << text;
        if (!loaded.empty()) {
            EXPECT_EQ(download<uint8_t>(out, loaded.size()), loaded) << text;
        }
    }

    size_t unit = 0;
    Handle object = 0, memory = 0;
    CUdeviceptr all = 0, own = 0;
    CUdeviceptr in = 0, out = 0;  // a slot each
};

// The vectors of a type that multimem takes: registers, and how many of the type are in them.
struct Vector {
    const char* suffix;
    unsigned count;
    bool packed = false;
    unsigned elements() const { return packed ? 2 * count : count; }
};
std::vector<Vector> vectors_of(const Type& type) {
    if (type.bytes == 2) return {{".v2", 2}, {".v4", 4}, {".v8", 8}, {"", 1, true}, {".v2", 2, true}, {".v4", 4, true}};
    if (std::string(type.name) == "f32") return {{"", 1}, {".v2", 2}, {".v4", 4}};
    return {{"", 1}};
}
std::string form(const char* start, const Vector& vector, const Type& type) {
    return std::string(start) + vector.suffix + "." + type.name + (vector.packed ? "x2" : "");
}

TEST_F(MulticastTest, StoresWriteTheBoundMemory) {
    if (!in_its_process()) return;
    bind_one();
    std::vector<uint8_t> before(slot, 0x11), operand;
    for (uint8_t k = 0; k < slot; ++k)
        operand.push_back(static_cast<uint8_t>(0x80 + 7 * k));
    for (const char* const start : {"st.global", "st", "st.weak.global", "st.relaxed.gpu", "st.release.sys.global"}) {
        for (const Type& type : {u32, s32, b32, u64, s64, b64, f32, f64, f16, bf16}) {
            for (const Vector& vector : vectors_of(type)) {
                std::vector<uint8_t> after = before;
                std::copy_n(operand.begin(), vector.elements() * type.bytes, after.begin());
                expect(form(start, vector, type), type, vector.count, vector.packed, before, operand, after, {});
            }
        }
    }
}

TEST_F(MulticastTest, AReductionOfOneValueIsTheValue) {
    if (!in_its_process()) return;
    bind_one();
    std::vector<uint8_t> before;
    for (uint8_t k = 0; k < slot; ++k)
        before.push_back(static_cast<uint8_t>(0x31 + 5 * k));
    const auto expect_loads = [&](const std::string& start, const Type& type) {
        for (const Vector& vector : vectors_of(type)) {
            const std::vector<uint8_t> loaded(before.begin(), before.begin() + vector.elements() * type.bytes);
            expect(form(start.c_str(), vector, type), type, vector.count, vector.packed, before,
                   std::vector<uint8_t>(slot, 0x77), before, loaded);
        }
    };
    for (const std::string start :
         {"ld_reduce.global.", "ld_reduce.weak.", "ld_reduce.relaxed.cta.global.", "ld_reduce.acquire.cluster."}) {
        for (const Type& type : {u32, s32, u64, f32, f64, f16, bf16})
            expect_loads(start + "add", type);
        for (const Type& type : {f16, bf16})
            expect_loads(start + "add.acc::f32", type);
        for (const char* const least_or_most : {"min", "max"}) {
            for (const Type& type : {u32, s32, u64, s64, f16, bf16})
                expect_loads(start + least_or_most, type);
        }
        for (const char* const bitwise : {"and", "or", "xor"}) {
            for (const Type& type : {b32, b64})
                expect_loads(start + bitwise, type);
        }
    }
}

TEST_F(MulticastTest, ReductionsChangeTheBoundMemory) {
    if (!in_its_process()) return;
    bind_one();
    const std::vector<int64_t> held{12, -5, 7, 100, -30, 0, 63, -1}, given{-20, 6, 7, 28, -31, 5, -64, 1};
    const auto bits = [](const Type& type, int64_t value) {
        return type.exponent_bits != 0 ? float_of(type, value) : static_cast<uint64_t>(value);
    };
    const auto expect_reductions = [&](const std::string& start, const Type& type,
                                       const std::function<int64_t(int64_t, int64_t)>& combine,
                                       bool single_pairs = true) {
        for (const Vector& vector : vectors_of(type)) {
            if (vector.packed && vector.count == 1 && !single_pairs) continue;
            std::vector<uint8_t> before(slot, 0x22), operand(slot), after(slot, 0x22);
            for (size_t k = 0; k < vector.elements(); ++k) {
                put(before, type, k, bits(type, held[k]));
                put(operand, type, k, bits(type, given[k]));
                put(after, type, k, bits(type, combine(held[k], given[k])));
            }
            expect(form(start.c_str(), vector, type), type, vector.count, vector.packed, before, operand, after, {});
        }
    };
    // Unsigned numbers that are negative as signed ones are the larger.
    const auto as_unsigned = [](int64_t a, int64_t b) { return static_cast<uint64_t>(a) < static_cast<uint64_t>(b); };
    for (const std::string start : {"red.global.", "red.", "red.relaxed.gpu.", "red.release.sys.global."}) {
        for (const Type& type : {u32, s32, u64, f32, f64, f16, bf16})
            expect_reductions(start + "add", type, [](int64_t a, int64_t b) { return a + b; });
        for (const Type& type : {s32, s64, f16, bf16}) {
            expect_reductions(start + "min", type, [](int64_t a, int64_t b) { return std::min(a, b); }, false);
            expect_reductions(start + "max", type, [](int64_t a, int64_t b) { return std::max(a, b); }, false);
        }
        for (const Type& type : {u32, u64}) {
            expect_reductions(start + "min", type, [&](int64_t a, int64_t b) { return as_unsigned(a, b) ? a : b; });
            expect_reductions(start + "max", type, [&](int64_t a, int64_t b) { return as_unsigned(a, b) ? b : a; });
        }
        for (const Type& type : {b32, b64}) {
            expect_reductions(start + "and", type, [](int64_t a, int64_t b) { return a & b; });
            expect_reductions(start + "or", type, [](int64_t a, int64_t b) { return a | b; });
            expect_reductions(start + "xor", type, [](int64_t a, int64_t b) { return a ^ b; });
        }
    }
}

const char* const add_one =
    ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 m, .param .u64 i, .param .u64 o)\n{\n"
    ".reg .b64 %m; ld.param.u64 %m, [m]; multimem.red.add.u32 [%m], 1; ret;\n}\n";

TEST_F(MulticastTest, ThreadsAddTogether) {
    if (!in_its_process()) return;
    bind_one();
    ASSERT_OK(cu().cuMemsetD32(own, 0, 4));
    CUmodule loaded = nullptr;
    ASSERT_OK(cu().cuModuleLoadData(&loaded, add_one));
    CUfunction kernel = nullptr;
    ASSERT_OK(cu().cuModuleGetFunction(&kernel, loaded, "k"));
    ASSERT_OK(launch(kernel, 20, 100, nullptr, {&all, &in, &out}));
    EXPECT_EQ(download<uint32_t>(own, 1), Words{2000});
}

TEST_F(MulticastTest, PartsAreBoundToMemoryOfTheirOwn) {
    if (!in_its_process()) return;
    object = object_of(3);
    const Handle one = memory_of(2), two = memory_of(1);
    const CUdeviceptr at_one = map(one, 2), at_two = map(two, 1);
    ASSERT_OK(cu().cuMemsetD32(at_one, 10, 2 * unit / 4));
    ASSERT_OK(cu().cuMemsetD32(at_two, 20, unit / 4));
    // What is mapped before is bound to as it comes.
    all = map(object, 3);
    const CUdeviceptr last = map(object, 1, 2 * unit);
    ASSERT_OK(cu().cuMulticastBindMem(object, 0, one, unit, unit, 0));
    ASSERT_OK(cu().cuMulticastBindAddr(object, unit, at_two, unit, 0));
    ASSERT_OK(cu().cuMulticastBindAddr(object, 2 * unit, at_one, unit, 0));
    for (const CUdeviceptr address : {all, all + unit, all + unit, all + 2 * unit, last, last})
        ASSERT_OK(run(add_one, address));
    EXPECT_EQ(download<uint32_t>(at_one, 1), Words{13});
    EXPECT_EQ(download<uint32_t>(at_one + unit, 1), Words{11});
    EXPECT_EQ(download<uint32_t>(at_two, 1), Words{22});
    // Other memory in place of what was bound.
    ASSERT_OK(cu().cuMulticastUnbind(object, device, unit, unit));
    ASSERT_OK(cu().cuMulticastBindMem(object, unit, one, 0, unit, 0));
    ASSERT_OK(run(add_one, all + unit));
    EXPECT_EQ(download<uint32_t>(at_one, 1), Words{14});
    EXPECT_EQ(download<uint32_t>(at_two, 1), Words{22});
    for (const auto& [address, units] : {std::pair{at_one, size_t{2}}, {at_two, 1}, {all, 3}, {last, 1}})
        unmap(address, units);
    for (const Handle handle : {object, one, two})
        EXPECT_OK(cu().cuMemRelease(handle));
}

TEST_F(MulticastTest, MappingsKeepTheObjectAndItsMemory) {
    if (!in_its_process()) return;
    bind_one();
    size_t before = 0, after = 0, total = 0;
    ASSERT_OK(cu().cuMemGetInfo(&before, &total));
    ASSERT_OK(cu().cuMemRelease(object));
    ASSERT_OK(cu().cuMemRelease(memory));
    ASSERT_OK(cu().cuMemsetD32(own, 4, 1));
    ASSERT_OK(run(add_one, all));
    EXPECT_EQ(download<uint32_t>(own, 1), Words{5});
    unmap(own, 1);
    ASSERT_OK(run(add_one, all));
    unmap(all, 1);
    ASSERT_OK(cu().cuMemGetInfo(&after, &total));
    EXPECT_EQ(after, before + unit);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemRelease(object));
}

TEST_F(MulticastTest, BindingAndMappingWaitForTheDevice) {
    if (!in_its_process()) return;
    object = object_of(1, false), memory = memory_of(1);
    std::atomic<bool> bound = false;
    std::thread other([&] {
        EXPECT_OK(cu().cuMulticastBindMem(object, 0, memory, 0, unit, 0));
        bound = true;
        all = map(object, 1);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(bound);
    EXPECT_OK(cu().cuMulticastAddDevice(object, device));
    other.join();
    EXPECT_TRUE(bound);
    EXPECT_OK(run(add_one, all));
}

TEST_F(MulticastTest, WhatIsNoPartIsRefused) {
    if (!in_its_process()) return;
    const auto refused = [&](const CUmulticastObjectProp& wanted, CUresult code = CUDA_ERROR_INVALID_VALUE) {
        Handle made = 0;
        EXPECT_CU(code, cu().cuMulticastCreate(&made, &wanted));
    };
    CUmulticastObjectProp wanted = properties(1);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMulticastCreate(nullptr, &wanted));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMulticastCreate(&object, nullptr));
    size_t bytes = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuMulticastGetGranularity(nullptr, &wanted, CU_MULTICAST_GRANULARITY_MINIMUM));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu().cuMulticastGetGranularity(&bytes, nullptr, CU_MULTICAST_GRANULARITY_MINIMUM));
    ASSERT_OK(cu().cuMulticastGetGranularity(&bytes, &wanted, CU_MULTICAST_GRANULARITY_MINIMUM));
    EXPECT_EQ(unit % bytes, 0u);
    wanted.size = 0;
    refused(wanted);
    wanted.size = bytes + 1;
    refused(wanted);
    wanted = properties(1);
    wanted.numDevices = 0;
    refused(wanted);
    wanted = properties(1);
    wanted.flags = 1;
    refused(wanted);
    if (cu().simulated) {
        wanted = properties(1);
        wanted.numDevices = 2;
        refused(wanted, CUDA_ERROR_NOT_SUPPORTED);
        wanted = properties(1);
        wanted.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        refused(wanted, CUDA_ERROR_NOT_SUPPORTED);
    }

    object = object_of(2), memory = memory_of(2);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMulticastAddDevice(object, device));  // it has one
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMulticastAddDevice(memory, device));
    EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cu().cuMulticastAddDevice(object, 99));
    struct Bind {
        Handle object, memory;
        size_t offset, memory_offset, size;
        unsigned long long flags = 0;
    };
    for (const Bind& bind :
         {Bind{memory, memory, 0, 0, unit}, Bind{object, object, 0, 0, unit}, Bind{object, memory, 1, 0, unit},
          Bind{object, memory, 0, 1, unit}, Bind{object, memory, 0, 0, unit + 1}, Bind{object, memory, 0, 0, 0},
          Bind{object, memory, 0, 0, unit, 1}, Bind{object, memory, unit, 0, 2 * unit},
          Bind{object, memory, 0, unit, 2 * unit}, Bind{object, memory, 3 * unit, 0, unit}}) {
        EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMulticastBindMem(bind.object, bind.offset, bind.memory,
                                                                    bind.memory_offset, bind.size, bind.flags));
    }
    ASSERT_OK(cu().cuMulticastBindMem(object, unit, memory, 0, unit, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMulticastBindMem(object, 0, memory, 0, 2 * unit, 0));  // partly bound
    own = map(memory, 2);
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMulticastBindAddr(object, 0, own + unit, 2 * unit, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMulticastBindAddr(object, 0, own + 256, unit, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMulticastUnbind(object, device, 0, 2 * unit));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMulticastUnbind(object, device, 0, unit));
    EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cu().cuMulticastUnbind(object, 99, unit, unit));
    EXPECT_OK(cu().cuMulticastUnbind(object, device, unit, unit));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMulticastUnbind(object, device, unit, unit));

    CUdeviceptr address = 0;
    ASSERT_OK(cu().cuMemAddressReserve(&address, 4 * unit, unit, 0, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemMap(address, 3 * unit, 0, object, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemMap(address, 2 * unit, unit, object, 0));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemMap(address, unit, 8, object, 0));
    CUmemAllocationProp properties_of_object{};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemGetAllocationPropertiesFromHandle(&properties_of_object, object));
}

// Accesses that are right stay so where they are checked.
class CheckedMulticastTest : public MulticastTest, public testing::WithParamInterface<const char*> {};

TEST_P(CheckedMulticastTest, NothingIsFound) {
    if (!in_process_of_its_own({std::string("CUPRUM_SIM=cc=9.0,check=") + GetParam()})) return;
    bind_one();
    const std::vector<uint8_t> before(slot, 0x11), operand(slot, 0x22);
    expect("st.v8.f16", f16, 8, false, before, operand, operand, {});
    expect("ld_reduce.max.v8.bf16", bf16, 8, false, operand, before, operand, operand);
    expect("red.or.b64", b64, 1, false, std::vector<uint8_t>(slot), std::vector<uint8_t>(slot),
           std::vector<uint8_t>(slot), {});
}

INSTANTIATE_TEST_SUITE_P(All, CheckedMulticastTest, testing::Values("memory", "registers", "races"));

// What PTX leaves undefined, or what is not there.
class MulticastFaults : public MulticastTest {
protected:
    // A context that has faulted gives nothing back.
    void TearDown() override {
        if (!faulted) MulticastTest::TearDown();
    }
    void expect_fault(CUresult code, const std::string& text, CUdeviceptr address) {
        faulted = true;
        EXPECT_CU(code, run(text, address)) << text;
    }
    void expect_illegal_address(const char* instruction, CUdeviceptr address) {
        const std::string text =
            ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 m, .param .u64 i, .param "
            ".u64 o)\n"
            "{\n.reg .b64 %m; .reg .b32 %r; ld.param.u64 %m, [m]; " +
            std::string(instruction) + " ret;\n}\n";
        expect_fault(CUDA_ERROR_ILLEGAL_ADDRESS, text, address);
    }

    bool faulted = false;
};

TEST_F(MulticastFaults, NothingIsBound) {
    if (!in_its_process()) return;
    object = object_of(1);
    expect_illegal_address("multimem.red.add.u32 [%m], 1;", map(object, 1));
}

TEST_F(MulticastFaults, NothingIsBoundAnyLonger) {
    if (!in_its_process()) return;
    bind_one();
    ASSERT_OK(run(add_one, all));
    ASSERT_OK(cu().cuMulticastUnbind(object, device, 0, unit));
    expect_illegal_address("multimem.red.add.u32 [%m], 1;", all);
}

TEST_F(MulticastFaults, OtherInstructionsHaveNoUseForTheAddress) {
    if (!in_its_process()) return;
    bind_one();
    if (!cu().simulated) GTEST_SKIP() << "undefined";
    uint32_t word = 0;
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemcpyDtoH(&word, all, 4));
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu().cuMemsetD32(all, 0, 1));
    expect_illegal_address("ld.global.u32 %r, [%m]; st.global.u32 [%m], %r;", all);
}

TEST_F(MulticastFaults, AnotherAddressIsOfNoUse) {
    if (!in_its_process()) return;
    bind_one();
    if (!cu().simulated) GTEST_SKIP() << "undefined";
    expect_illegal_address("multimem.ld_reduce.add.u32 %r, [%m];", own);
}

TEST_F(MulticastFaults, VectorsAreAligned) {
    if (!in_its_process()) return;
    bind_one();
    const std::string text = kernel_text("ld_reduce.add.v8.f16", f16, 8, false);
    expect_fault(CUDA_ERROR_MISALIGNED_ADDRESS, text, all + 8);
}

TEST_F(MulticastTest, OlderDevicesHaveNone) {
    if (!in_process_of_its_own({"CUPRUM_SIM=cc=8.9"})) return;
    if (!cu().simulated) GTEST_SKIP();
    int supported = 1;
    ASSERT_OK(cu().cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, device));
    EXPECT_EQ(supported, 0);
    const CUmulticastObjectProp wanted = properties(1);
    EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu().cuMulticastCreate(&object, &wanted));
}

}  // namespace
}  // namespace cuprum::test
