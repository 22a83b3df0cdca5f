// The same on several devices, each with a pool of its own that is smaller than the data, one of them smaller than the
// others.
#include <map>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using out_of_core::DeviceMemory;
using test::HostElements;
using test::HostKind;
using test::random_elements;
using test::refusal;
using testing::AllOf;
using testing::HasSubstr;

class OutOfCoreDevices : public testing::Test {
protected:
    static constexpr uint64_t limit = uint64_t{96} << 10, smaller_limit = uint64_t{64} << 10;

    void SetUp() override {
        if (core::Device::count() < 2) {
            ASSERT_FALSE(core::Device(0).is_simulator()) << "CUPRUM_SIM=devices=4 is missing";
            GTEST_SKIP() << "this machine has one GPU";
        }
        for (int32_t ordinal = 0; ordinal < std::min(core::Device::count(), 4); ++ordinal) {
            const core::Device device(ordinal);
            const uint64_t most = ordinal == 1 ? smaller_limit : limit;
            memory.push_back({device, most, core::DeviceMemoryResource(device, {.max_size = most})});
        }
    }
    void TearDown() override {
        for (const DeviceMemory& each : memory) {
            EXPECT_LE(used(each, core::MemoryPoolAttribute::used_mem_high), each.limit);
            EXPECT_EQ(used(each, core::MemoryPoolAttribute::used_mem_current), 0U);
        }
    }

    static uint64_t used(const DeviceMemory& of, core::MemoryPoolAttribute attribute) {
        return core::PooledMemoryResource::of(of.resource).attribute(attribute);
    }
    // 2, 3 and 4 devices, in any order.
    std::vector<std::vector<DeviceMemory>> choices() {
        std::vector<std::vector<DeviceMemory>> all;
        for (size_t devices = 2; devices <= memory.size(); ++devices) {
            std::vector<DeviceMemory> chosen = memory;
            std::shuffle(chosen.begin(), chosen.end(), random);
            chosen.resize(devices);
            all.push_back(chosen);
        }
        return all;
    }
    HostKind any_kind() { return test::host_kinds.at(random() % test::host_kinds.size()); }
    // None, one, and what is several times the devices' memory.
    std::vector<uint64_t> counts(size_t devices) {
        return {0, 1, random() % 5000, limit / 2 + random() % limit, devices * limit + random() % 1000};
    }
    static std::string text(const std::vector<DeviceMemory>& devices, uint64_t count) {
        std::string all = std::to_string(count) + " elements on devices";
        for (const DeviceMemory& each : devices)
            all += ' ' + std::to_string(each.device.device_id());
        return all;
    }
    template <class T>
    static HostOutput one(T& value) {
        return {Type::of<T>(), &value, 1};
    }

    std::vector<DeviceMemory> memory;  // of each device
    std::mt19937_64 random{20261128};
};

TEST_F(OutOfCoreDevices, ReduceElementsOfAnyNumber) {
    const Type input = Type::of<int32_t>(), accumulator = Type::of<int64_t>();
    for (const std::vector<DeviceMemory>& devices : choices()) {
        const out_of_core::Reduce sum(devices, input, OpKind::plus, accumulator);
        for (const uint64_t count : counts(devices.size())) {
            SCOPED_TRACE(text(devices, count));
            const std::vector<int32_t> elements = random_elements<int32_t>(count);
            HostElements<int32_t> in(any_kind(), elements);
            int64_t result = -1;
            sum(in.input(), one(result), int64_t{1000});
            EXPECT_EQ(result, std::accumulate(elements.begin(), elements.end(), int64_t{1000}));
            result = -1;
            sum(in.input(), one(result));
            EXPECT_EQ(result, count == 0 ? -1 : std::accumulate(elements.begin(), elements.end(), int64_t{0}));
        }
    }
}

TEST_F(OutOfCoreDevices, SumsOfFloatingPointNumbersAreTheSameEachTime) {
    const std::vector<float> elements = random_elements<float>(5 * limit / sizeof(float));
    const out_of_core::Reduce sum(memory, Type::of<float>(), OpKind::plus, Type::of<float>());
    float first = 0;
    sum(host_input(elements), one(first), 0.5F);
    EXPECT_NEAR(first, std::accumulate(elements.begin(), elements.end(), 0.5), 1);
    for (int i = 0; i < 5; ++i) {
        float again = 0;
        sum(host_input(elements), one(again), 0.5F);
        EXPECT_EQ(first, again);
    }
}

TEST_F(OutOfCoreDevices, ScanElementsOfAnyNumberInTheirOrder) {
    const Type input = Type::of<int32_t>(), accumulator = Type::of<int64_t>();
    for (const std::vector<DeviceMemory>& devices : choices()) {
        for (const ScanKind kind : {ScanKind::inclusive, ScanKind::exclusive, ScanKind::inclusive_with_init}) {
            const out_of_core::Scan scan(kind, devices, input, OpKind::plus, accumulator);
            for (const uint64_t count : counts(devices.size())) {
                SCOPED_TRACE(text(devices, count) + ", kind " + std::to_string(static_cast<int>(kind)));
                const std::vector<int32_t> elements = random_elements<int32_t>(count);
                HostElements<int32_t> in(any_kind(), elements);
                HostElements<int64_t> out(any_kind(), count);
                std::vector<int64_t> expected(count);
                if (kind == ScanKind::inclusive) {
                    scan(in.input(), out.output());
                    std::inclusive_scan(elements.begin(), elements.end(), expected.begin(), std::plus<>(), int64_t{0});
                } else {
                    scan(in.input(), out.output(), int64_t{70});
                    if (kind == ScanKind::exclusive) {
                        std::exclusive_scan(elements.begin(), elements.end(), expected.begin(), int64_t{70});
                    } else {
                        std::inclusive_scan(elements.begin(), elements.end(), expected.begin(), std::plus<>(),
                                            int64_t{70});
                    }
                }
                EXPECT_EQ(out.get(), expected);
            }
        }
        // Not commutative, in place: each element becomes the one before it.
        std::vector<int32_t> elements = random_elements<int32_t>(3 * limit);
        std::vector<int32_t> expected = elements;
        expected.insert(expected.begin(), 7);
        expected.pop_back();
        const out_of_core::Scan previous(ScanKind::exclusive, devices, input, "b", input);
        previous(host_input(elements), host_output(elements), 7);
        EXPECT_EQ(elements, expected);
    }
}

TEST_F(OutOfCoreDevices, CountSamplesOfAnyNumber) {
    const Type type = Type::of<int32_t>();
    for (const std::vector<DeviceMemory>& devices : choices()) {
        const out_of_core::HistogramEven histogram(devices, type, type, Type::of<uint64_t>());
        for (const uint64_t count : counts(devices.size())) {
            SCOPED_TRACE(text(devices, count));
            std::vector<int32_t> samples(count);
            std::vector<uint64_t> expected(200);
            for (int32_t& sample : samples) {
                sample = static_cast<int32_t>(random() % 2200) - 100;
                if (sample >= 0 && sample < 2000) ++expected[static_cast<size_t>(sample / 10)];
            }
            HostElements<int32_t> in(any_kind(), samples);
            std::vector<uint64_t> counts(200, 9);
            histogram(in.input(), host_output(counts), 200, 0, 2000);
            EXPECT_EQ(counts, expected);
        }
    }
}

TEST_F(OutOfCoreDevices, SortKeysOfAnyNumber) {
    const Type type = Type::of<int32_t>();
    for (const std::vector<DeviceMemory>& devices : choices()) {
        const out_of_core::RadixSort sort(SortOrder::descending, devices, type);
        for (const uint64_t count : counts(devices.size())) {
            SCOPED_TRACE(text(devices, count));
            const std::vector<int32_t> keys = random_elements<int32_t>(count);
            HostElements<int32_t> in(any_kind(), keys), out(any_kind(), count);
            std::vector<int32_t> expected = keys;
            std::sort(expected.begin(), expected.end(), std::greater<>());
            sort(in.input(), out.output());
            EXPECT_EQ(out.get(), expected);
            EXPECT_EQ(in.get(), keys);
            sort(in.input(), out.output(), in.output());  // the runs overwrite the keys
            EXPECT_EQ(out.get(), expected);
        }
    }
}

TEST_F(OutOfCoreDevices, SortPairsStablyWhateverTheKeysAre) {
    const Type key_type = Type::of<uint16_t>(), value_type = Type::of<uint32_t>();
    for (const std::vector<DeviceMemory>& devices : choices()) {
        const out_of_core::RadixSort sort(SortOrder::ascending, devices, key_type, value_type);
        for (const uint64_t different : {1U, 3U, 700U, 65536U}) {
            const uint64_t count = devices.size() * limit / 6 + random() % 1000;
            SCOPED_TRACE(text(devices, count) + ", different: " + std::to_string(different));
            std::vector<uint16_t> keys(count);
            for (uint16_t& key : keys)
                key = static_cast<uint16_t>(random() % different);
            std::vector<uint32_t> places(count), expected(count);
            std::iota(places.begin(), places.end(), 0U);
            expected = places;
            std::stable_sort(expected.begin(), expected.end(),
                             [&](uint32_t left, uint32_t right) { return keys[left] < keys[right]; });
            HostElements<uint16_t> keys_in(any_kind(), keys), keys_out(any_kind(), count);
            HostElements<uint32_t> values_in(any_kind(), places), values_out(any_kind(), count);
            sort(keys_in.input(), keys_out.output(), values_in.input(), values_out.output());
            EXPECT_EQ(values_out.get(), expected);
            std::sort(keys.begin(), keys.end());
            EXPECT_EQ(keys_out.get(), keys);
        }
    }
}

TEST_F(OutOfCoreDevices, BringEqualKeysTogether) {
    const Type key_type = Type::of<int32_t>(), value_type = Type::of<int32_t>(), sums = Type::of<int64_t>();
    for (const std::vector<DeviceMemory>& devices : choices()) {
        const out_of_core::ReduceByKey reduce(devices, key_type, value_type, OpKind::plus, sums);
        for (const uint64_t different : {1U, 100U, 40'000U}) {
            for (const uint64_t count : counts(devices.size())) {
                SCOPED_TRACE(text(devices, count) + ", different: " + std::to_string(different));
                std::vector<int32_t> keys(count);
                for (int32_t& key : keys)
                    key = static_cast<int32_t>(random() % different) - 50;
                const std::vector<int32_t> values = random_elements<int32_t>(count);
                std::map<int32_t, int64_t> expected;
                for (uint64_t i = 0; i < count; ++i)
                    expected[keys[i]] += values[i];
                HostElements<int32_t> keys_in(any_kind(), keys), values_in(any_kind(), values);
                HostElements<int32_t> keys_out(any_kind(), count);
                HostElements<int64_t> sums_out(any_kind(), count);
                const uint64_t found = reduce(keys_in.input(), values_in.input(), keys_out.output(), sums_out.output());
                ASSERT_EQ(found, expected.size());
                uint64_t i = 0;
                for (const auto& [key, sum] : expected) {
                    ASSERT_EQ(keys_out.data()[i], key);
                    ASSERT_EQ(sums_out.data()[i++], sum);
                }
                if (found == 0) continue;
                EXPECT_THAT(refusal([&] {
                                reduce(keys_in.input(), values_in.input(), {key_type, keys_out.data(), found - 1},
                                       sums_out.output());
                            }),
                            HasSubstr("room for " + std::to_string(found - 1)));
            }
        }
    }
}

TEST_F(OutOfCoreDevices, AllWorkWhereThereIsMuchAndTheFirstWhereThereIsLittle) {
    const Type type = Type::of<uint32_t>();
    const out_of_core::RadixSort sort(SortOrder::ascending, memory, type);
    const auto peak = [this](size_t device) { return used(memory[device], core::MemoryPoolAttribute::used_mem_high); };
    std::vector<uint32_t> keys = random_elements<uint32_t>(1000);
    sort(host_input(keys), host_output(keys));
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
    EXPECT_GT(peak(0), 0U);
    EXPECT_EQ(peak(1), 0U);
    keys = random_elements<uint32_t>(limit);
    sort(host_input(keys), host_output(keys));
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
    for (size_t device = 0; device < memory.size(); ++device)
        EXPECT_GT(peak(device), 0U);
}

TEST_F(OutOfCoreDevices, AreRefusedWhereTheyDoNotFit) {
    const Type type = Type::of<float>();
    const auto refused = [&](const std::vector<DeviceMemory>& devices) {
        return refusal([&] { const out_of_core::Reduce sum(devices, type, OpKind::plus, type); });
    };
    EXPECT_THAT(refused({}), AllOf(HasSubstr("reducing"), HasSubstr("there are none, expected at least one")));
    EXPECT_THAT(refused({memory[1], memory[0], memory[1]}), AllOf(HasSubstr("device 1"), HasSubstr("given twice")));
    EXPECT_THAT(refused({memory[0], {memory[1].device, limit, memory[0].resource}}),
                AllOf(HasSubstr("memory resource"), HasSubstr("not that of device 1")));
    EXPECT_THAT(refusal([&] { refused({memory[0], {core::Device(core::Device::count())}}); }), HasSubstr("device"));
    EXPECT_THAT(refusal([&] {
                    const out_of_core::Scan scan(ScanKind::inclusive, std::vector<DeviceMemory>{}, type, OpKind::plus,
                                                 type);
                }),
                HasSubstr("there are none"));
    EXPECT_THAT(refusal([&] { const out_of_core::RadixSort sort(SortOrder::ascending, {memory[0], memory[0]}, type); }),
                AllOf(HasSubstr("device 0"), HasSubstr("given twice")));
    EXPECT_THAT(refusal([&] { const out_of_core::HistogramEven counts({memory[0], memory[0]}, type, type); }),
                HasSubstr("given twice"));
    EXPECT_THAT(
        refusal([&] { const out_of_core::ReduceByKey by_key({memory[0], memory[0]}, type, type, OpKind::plus, type); }),
        HasSubstr("given twice"));
    // A device that has no room for a piece.
    std::vector<float> keys = random_elements<float>(limit);
    const out_of_core::RadixSort sort(SortOrder::ascending, {memory[0], {memory[1].device, 500}}, type);
    EXPECT_THAT(refusal([&] { sort(host_input(keys), host_output(keys)); }),
                AllOf(HasSubstr("memory of device 1"), HasSubstr("500 bytes")));
}

}  // namespace
}  // namespace cuprum::parallel
