#include <array>
#include <cstdlib>
#include <string>
#include <thread>

#include "fixture.hpp"

namespace {

// The map x -> factor * x + offset; one after the other are another one, and cannot be exchanged.
struct Affine {
    uint32_t factor, offset;
    friend bool operator==(const Affine&, const Affine&) = default;
};

// The same, in more bytes than a thread has several of.
struct WideAffine {
    uint64_t factor = 0, offset = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, seventh = 0, eighth = 0, ninth = 0;
    friend bool operator==(const WideAffine&, const WideAffine&) = default;
};

}  // namespace

template <>
struct cuprum::parallel::TypeTraits<Affine> {
    static Type type() {
        return Type::structure_of<Affine>("Affine", field("factor", &Affine::factor), field("offset", &Affine::offset));
    }
};

template <>
struct cuprum::parallel::TypeTraits<WideAffine> {
    static Type type() {
        return Type::structure_of<WideAffine>("WideAffine", field("factor", &WideAffine::factor),
                                              field("offset", &WideAffine::offset), field("third", &WideAffine::third),
                                              field("fourth", &WideAffine::fourth), field("fifth", &WideAffine::fifth),
                                              field("sixth", &WideAffine::sixth),
                                              field("seventh", &WideAffine::seventh),
                                              field("eighth", &WideAffine::eighth), field("ninth", &WideAffine::ninth));
    }
};

namespace cuprum::parallel {
namespace {

using distributed::Communicator;
using test::Distributed;
using test::random_elements;
using test::refusal;
using test::Spread;
using testing::AllOf;
using testing::HasSubstr;

const std::vector<uint64_t> totals{0, 1, 1000, 6007};

class DistributedReduction : public Distributed {};

TEST_F(DistributedReduction, IsThatOfAllElementsOnEveryRank) {
    for (const Communicator& communicator : communicators()) {
        const size_t ranks = communicator.size();
        const distributed::Reduce sum(communicator, Type::of<int32_t>(), OpKind::plus, Type::of<int64_t>());
        const distributed::Reduce greatest(communicator, Type::of<int32_t>(), "a < b ? b : a", Type::of<int32_t>());
        for (const uint64_t total : totals) {
            const std::vector<uint64_t> counts = random_counts(total, ranks);
            SCOPED_TRACE(test::text(counts));
            const std::vector<int32_t> elements = random_elements<int32_t>(total);
            const Spread<int32_t> in(communicator, counts, elements);
            const Spread<int64_t> out(communicator, test::Distributed::one_each(ranks));
            sum(in.shards, out.shards, int64_t{5});
            const int64_t expected = std::accumulate(elements.begin(), elements.end(), int64_t{5});
            EXPECT_EQ(out.all(), std::vector<int64_t>(ranks, expected));
            const Spread<int32_t> of_own_operator(communicator, one_each(ranks));
            greatest(in.shards, of_own_operator.shards, -7);
            const int32_t most = std::accumulate(elements.begin(), elements.end(), -7,
                                                 [](int32_t left, int32_t right) { return std::max(left, right); });
            EXPECT_EQ(of_own_operator.all(), std::vector<int32_t>(ranks, most));
        }
    }
}

// More than combine the results themselves: one of them does.
TEST_F(DistributedReduction, AndScanAreRightOverMoreThanEightRanks) {
    if (core::Device::count() < 9) GTEST_SKIP() << "there are fewer than nine devices";
    const Communicator communicator = of_devices(9);
    const Type type = Type::of<int64_t>();
    const distributed::Reduce sum(communicator, type, OpKind::plus, type);
    const distributed::Scan sums(ScanKind::inclusive_with_init, communicator, type, OpKind::plus, type);
    const std::vector<int64_t> elements = random_elements<int64_t>(9000);
    const Spread<int64_t> data(communicator, even_counts(9000, 9), elements), one(communicator, one_each(9));
    sum(data.shards, one.shards, int64_t{7});
    std::vector<int64_t> expected(9000);
    std::inclusive_scan(elements.begin(), elements.end(), expected.begin(), std::plus<>(), int64_t{7});
    EXPECT_EQ(one.all(), std::vector<int64_t>(9, expected.back()));
    sums(data.shards, data.shards, int64_t{7});
    EXPECT_EQ(data.all(), expected);
}

// Each rank's kernel leaves a result for each of many blocks, or one where there are few elements; and ranks with none.
TEST_F(DistributedReduction, CombinesTheResultsOfAnyNumberOfBlocks) {
    const Operator sum_of_wide(
        "return {a.factor + b.factor, a.offset + b.offset, a.third ^ b.third, a.fourth, 0, 0, 0, 0, a.ninth + "
        "b.ninth};");
    for (const Communicator& communicator : communicators()) {
        const size_t ranks = communicator.size();
        const distributed::Reduce sum(communicator, Type::of<int32_t>(), OpKind::plus, Type::of<int64_t>());
        const distributed::Reduce least(communicator, Type::of<uint8_t>(), OpKind::minimum, Type::of<uint8_t>());
        const distributed::Reduce wide(communicator, Type::of<WideAffine>(), sum_of_wide, Type::of<WideAffine>());
        for (const uint64_t largest : {7U, 9001U, 50'000U}) {
            std::vector<uint64_t> counts(ranks);
            for (uint64_t& count : counts)
                count = random() % 4 == 0 ? 0 : random() % largest;
            counts.back() = largest;
            SCOPED_TRACE(test::text(counts));
            const uint64_t total = std::accumulate(counts.begin(), counts.end(), uint64_t{0});
            const std::vector<int32_t> elements = random_elements<int32_t>(total);
            const Spread<int64_t> sums(communicator, one_each(ranks));
            const Spread<int32_t> in(communicator, counts, elements);
            const int64_t expected = std::accumulate(elements.begin(), elements.end(), int64_t{0});
            sum(in.shards, sums.shards);
            EXPECT_EQ(sums.all(), std::vector<int64_t>(ranks, expected));
            sum(in.shards, sums.shards, int64_t{-3});
            EXPECT_EQ(sums.all(), std::vector<int64_t>(ranks, expected - 3));
            std::vector<uint8_t> bytes(total, 9);
            bytes[random() % total] = 4;
            const Spread<uint8_t> in_bytes(communicator, counts, bytes), out_bytes(communicator, one_each(ranks));
            least(in_bytes.shards, out_bytes.shards);
            EXPECT_EQ(out_bytes.all(), std::vector<uint8_t>(ranks, 4));
            std::vector<WideAffine> wides(total);
            WideAffine all{0, 0, 0, 7};
            for (uint64_t i = 0; i < total; ++i) {
                wides[i] = {static_cast<uint64_t>(elements[i]), i, i * i, 7, 0, 0, 0, 0, 2 * i};
                all = {all.factor + wides[i].factor,
                       all.offset + i,
                       all.third ^ (i * i),
                       7,
                       0,
                       0,
                       0,
                       0,
                       all.ninth + 2 * i};
            }
            const Spread<WideAffine> in_wide(communicator, counts, wides), out_wide(communicator, one_each(ranks));
            wide(in_wide.shards, out_wide.shards);
            EXPECT_EQ(out_wide.all(), std::vector<WideAffine>(ranks, all));
        }
    }
}

// Too large for a block's threads to share one each: each rank has one result then.
TEST_F(DistributedReduction, TakesElementsOfMoreThanAKibibyte) {
    struct Large {
        std::array<uint64_t, 140> words{};
    };
    std::vector<Type::Field> fields;
    for (size_t i = 0; i < 140; ++i)
        fields.push_back({"word" + std::to_string(i), Type::of<uint64_t>(), i * sizeof(uint64_t)});
    const Type type = Type::structure("Large", fields, sizeof(Large), alignof(Large));
    const Communicator communicator = of_devices(2);
    const distributed::Reduce sum(
        communicator, type, Operator("Large all = a; all.word0 += b.word0; all.word139 += b.word139; return all;"),
        type);
    std::vector<distributed::Shard> in, out;
    std::vector<core::Buffer> memory;
    Large element{{2}};
    element.words.back() = 3;
    const std::vector<Large> elements(20, element);
    for (size_t rank = 0; rank < 2; ++rank) {
        memory.push_back(communicator.device(rank).allocate(elements.size() * sizeof(Large)));
        memory.back().copy_from_host(elements.data(), memory.back().size());
        in.push_back({type, memory.back(), elements.size()});
        memory.push_back(communicator.device(rank).allocate(sizeof(Large)));
        out.push_back({type, memory.back(), 1});
    }
    sum(in, out);
    for (const distributed::Shard& each : out) {
        Large found;
        each.memory.copy_to_host(&found, sizeof(found));
        EXPECT_EQ(found.words.front(), 80U);
        EXPECT_EQ(found.words.back(), 120U);
    }
}

// One of them has the memory that the communicator keeps.
TEST_F(DistributedReduction, CallsOfSeveralThreadsHaveMemoryOfTheirOwn) {
    const Communicator communicator = of_devices(2);
    const distributed::Reduce sum(communicator, Type::of<int32_t>(), OpKind::plus, Type::of<int64_t>());
    const auto call_again_and_again = [&](int32_t value) {
        const Spread<int32_t> in(communicator, {9000, 9000}, std::vector<int32_t>(18'000, value));
        const Spread<int64_t> out(communicator, {1, 1});
        for (int i = 0; i < 20; ++i) {
            sum(in.shards, out.shards);
            EXPECT_EQ(out.all(), std::vector<int64_t>(2, int64_t{18'000} * value));
        }
    };
    std::thread other([&] { call_again_and_again(3); });
    call_again_and_again(5);
    other.join();
}

TEST_F(DistributedReduction, WithoutElementsAndInitialValueWritesNothing) {
    const Communicator communicator = of_devices(2);
    const distributed::Reduce greatest(communicator, Type::of<float>(), OpKind::maximum, Type::of<float>());
    const Spread<float> none(communicator, {0, 0}), one(communicator, {0, 1}, {-3.0F});
    const Spread<float> out(communicator, {1, 1}, {7.0F, 7.0F});
    greatest(none.shards, out.shards);
    EXPECT_EQ(out.all(), std::vector<float>(2, 7.0F));
    greatest(one.shards, out.shards);
    EXPECT_EQ(out.all(), std::vector<float>(2, -3.0F));
}

TEST_F(DistributedReduction, RefusesRanksThatDisagree) {
    const Communicator communicator = of_devices(2);  // rank 1 is device 0
    const distributed::Reduce sum(communicator, Type::of<float>(), OpKind::plus, Type::of<float>());
    const Spread<float> in(communicator, {3, 3}, std::vector<float>(6, 1.0F)), out(communicator, {1, 1});
    const auto refused = [&](const std::vector<distributed::Shard>& shards) {
        return refusal([&] { sum(shards, out.shards, 0.0F); });
    };
    EXPECT_THAT(refused({in.shards[0]}), AllOf(HasSubstr("reducing"), HasSubstr("input"),
                                               HasSubstr("1 shards are given"), HasSubstr("expected 2")));
    EXPECT_THAT(refused({in.shards[0], distributed::Shard::of<int32_t>(in.memory[1])}),
                AllOf(HasSubstr("rank 1 (device 0): input"), HasSubstr("int32, expected float32 on every rank")));
    EXPECT_THAT(refused({in.shards[1], in.shards[0]}),
                AllOf(HasSubstr("rank 0 (device 1): input"), HasSubstr("memory of device 0, expected of device 1")));
    EXPECT_THAT(refused({in.shards[0], distributed::Shard::of<float>(in.memory[1], 4)}),
                AllOf(HasSubstr("rank 1 (device 0): input"), HasSubstr("it has 12 bytes"), HasSubstr("16 bytes")));
    EXPECT_THAT(refused({in.shards[0], distributed::Shard::of<float>(in.memory[1], UINT64_MAX / 2)}),
                HasSubstr("more than any memory holds"));
    EXPECT_THAT(refused({in.shards[0], distributed::Shard::of<float>(core::BufferRef(), 3)}),
                AllOf(HasSubstr("rank 1 (device 0): input"), HasSubstr("no memory")));
    EXPECT_THAT(refused({in.shards[0], distributed::Shard::of<float>(
                                           core::BufferRef::from_handle(in.memory[1].handle() + 2, 8, 0), 2)}),
                HasSubstr("not aligned to 4 bytes"));
    EXPECT_THAT(refusal([&] { sum(in.shards, {{in.shards[0]}}, 0.0F); }), HasSubstr("output"));
    EXPECT_THAT(refusal([&] { sum(in.shards, Spread<float>(communicator, {1, 0}).shards, 0.0F); }),
                AllOf(HasSubstr("rank 1 (device 0): output"), HasSubstr("1 elements")));
    EXPECT_THAT(refusal([&] { sum(in.shards, out.shards, 0); }), AllOf(HasSubstr("initial value"), HasSubstr("int32")));
    // Nothing of that has done any harm.
    sum(in.shards, out.shards, 1.0F);
    EXPECT_EQ(out.all(), std::vector<float>(2, 7.0F));
}

TEST_F(DistributedReduction, ReadsWhatIsInTheRanksStreams) {
    const Communicator communicator = of_devices(2);
    const distributed::Reduce sum(communicator, Type::of<uint8_t>(), OpKind::plus, Type::of<uint64_t>());
    constexpr uint64_t count = 5000;
    const Spread<uint8_t> in(communicator, {count, count});
    const Spread<uint64_t> out(communicator, {1, 1});
    for (const uint32_t value : {3, 5}) {
        for (size_t rank = 0; rank < 2; ++rank)
            in.memory[rank].fill(value, 1, communicator.stream(rank));
        sum(in.shards, out.shards, uint64_t{0});
        EXPECT_EQ(out.all(), std::vector<uint64_t>(2, 2 * count * value));
    }
}

class DistributedScan : public Distributed {};

TEST_F(DistributedScan, GoesOnFromRankToRank) {
    for (const Communicator& communicator : communicators()) {
        for (const ScanKind kind : {ScanKind::exclusive, ScanKind::inclusive, ScanKind::inclusive_with_init}) {
            const Type input = Type::of<int32_t>(), accumulator = Type::of<int64_t>();
            const distributed::Scan scan(kind, communicator, input, OpKind::plus, accumulator);
            for (const uint64_t total : totals) {
                const std::vector<uint64_t> counts = random_counts(total, communicator.size());
                SCOPED_TRACE(test::text(counts) + ", kind " + std::to_string(static_cast<int>(kind)));
                const std::vector<int32_t> elements = random_elements<int32_t>(total);
                const Spread<int32_t> in(communicator, counts, elements);
                const Spread<int64_t> out(communicator, counts);
                std::vector<int64_t> expected(total);
                if (kind == ScanKind::exclusive) {
                    std::exclusive_scan(elements.begin(), elements.end(), expected.begin(), int64_t{9});
                } else {
                    std::inclusive_scan(elements.begin(), elements.end(), expected.begin(), std::plus<>(),
                                        int64_t{kind == ScanKind::inclusive ? 0 : 9});
                }
                if (kind == ScanKind::inclusive) {
                    scan(in.shards, out.shards);
                } else {
                    scan(in.shards, out.shards, int64_t{9});
                }
                EXPECT_EQ(out.all(), expected);
            }
        }
    }
}

TEST_F(DistributedScan, KeepsTheOrderOfTheOperandsAndWorksInPlace) {
    for (const Communicator& communicator : communicators()) {
        const distributed::Scan previous(ScanKind::exclusive, communicator, Type::of<int32_t>(), "b",
                                         Type::of<int32_t>());
        std::vector<int32_t> elements = random_elements<int32_t>(5000);
        const Spread<int32_t> data(communicator, random_counts(5000, communicator.size()), elements);
        previous(data.shards, data.shards, 1);
        elements.insert(elements.begin(), 1);
        elements.pop_back();
        EXPECT_EQ(data.all(), elements);
    }
}

// Over several tiles of a rank, the last of them not full.
template <class Map>
void compose(const Communicator& communicator, const std::vector<uint64_t>& counts, const std::string& op) {
    const uint64_t total = std::accumulate(counts.begin(), counts.end(), uint64_t{0});
    const std::vector<uint32_t> numbers = random_elements<uint32_t>(2 * total);
    std::vector<Map> maps(total);
    for (uint64_t i = 0; i < total; ++i)
        maps[i] = {numbers[2 * i] | 1U, numbers[2 * i + 1]};
    const Spread<Map> in(communicator, counts, maps), out(communicator, counts);
    const Map first{3, 5};
    const auto after = [](const Map& a, const Map& b) {
        return Map{a.factor * b.factor, a.offset * b.factor + b.offset};
    };
    for (const ScanKind kind : {ScanKind::exclusive, ScanKind::inclusive, ScanKind::inclusive_with_init}) {
        SCOPED_TRACE(test::text(counts) + ", kind " + std::to_string(static_cast<int>(kind)));
        const distributed::Scan scan(kind, communicator, Type::of<Map>(), op, Type::of<Map>());
        std::vector<Map> expected(total);
        if (kind == ScanKind::inclusive) {
            scan(in.shards, out.shards);
            std::inclusive_scan(maps.begin(), maps.end(), expected.begin(), after);
        } else {
            scan(in.shards, out.shards, first);
            if (kind == ScanKind::exclusive) {
                std::exclusive_scan(maps.begin(), maps.end(), expected.begin(), first, after);
            } else {
                std::inclusive_scan(maps.begin(), maps.end(), expected.begin(), after, first);
            }
        }
        EXPECT_TRUE(out.all() == expected);
    }
}

TEST_F(DistributedScan, ComposesMapsThatCannotBeExchanged) {
    for (const Communicator& communicator : communicators()) {
        const size_t ranks = communicator.size();
        compose<Affine>(communicator, random_counts(20011, ranks),
                        "return Affine{a.factor * b.factor, a.offset * b.factor + b.offset};");
    }
    const Communicator two = of_devices(2);
    compose<Affine>(two, {4096, 8192}, "return Affine{a.factor * b.factor, a.offset * b.factor + b.offset};");
    compose<WideAffine>(two, {257, 1000},
                        "return WideAffine{a.factor * b.factor, a.offset * b.factor + b.offset, 0, 0, 0, 0, 0, 0, 0};");
}

template <class Element>
class DistributedScanOf : public Distributed {};
using ScannedTypes = testing::Types<uint8_t, int16_t, uint32_t, float, int64_t, double, std::complex<double>>;
TYPED_TEST_SUITE(DistributedScanOf, ScannedTypes);

TYPED_TEST(DistributedScanOf, ElementsOfAnySizeIsThatOfOneDevice) {
    using Element = TypeParam;
    const Communicator communicator = this->of_devices(2);
    const distributed::Scan scan(ScanKind::inclusive, communicator, Type::of<Element>(), OpKind::plus,
                                 Type::of<Element>());
    const std::vector<Element> elements = random_elements<Element>(20011);
    std::vector<Element> expected(elements.size());
    std::inclusive_scan(elements.begin(), elements.end(), expected.begin(),
                        [](Element a, Element b) { return static_cast<Element>(a + b); });
    for (const std::vector<uint64_t>& counts : {std::vector<uint64_t>{9000, 11011}, {20010, 1}, {1, 20010}}) {
        const Spread<Element> data(communicator, counts, elements);
        scan(data.shards, data.shards);
        EXPECT_EQ(data.all(), expected);
    }
}

TEST_F(DistributedScan, RefusesWhatDoesNotFit) {
    const Communicator communicator = of_devices(2);
    const Type type = Type::of<int32_t>();
    const distributed::Scan scan(ScanKind::exclusive, communicator, type, OpKind::plus, type);
    const Spread<int32_t> in(communicator, {3, 3}, std::vector<int32_t>(6, 1)), other(communicator, {3, 2});
    EXPECT_THAT(refusal([&] { scan(in.shards, other.shards, 0); }),
                AllOf(HasSubstr("rank 1 (device 0): output"), HasSubstr("it has 2 elements, and the inputs have 3")));
    EXPECT_THAT(refusal([&] { scan(in.shards, in.shards); }), HasSubstr("none is given"));
    EXPECT_THAT(refusal([&] { scan(in.shards, in.shards, 0.0F); }), HasSubstr("initial value"));
    // What only the rank's own algorithm finds.
    std::vector<distributed::Shard> shifted = in.shards;
    shifted[1].memory = core::BufferRef::from_handle(in.memory[1].handle() + 4, 8, 0);
    shifted[1].count = 2;
    std::vector<distributed::Shard> first_two = in.shards;
    first_two[1].count = 2;
    EXPECT_THAT(refusal([&] { scan(first_two, shifted, 0); }),
                AllOf(HasSubstr("rank 1 (device 0): input and output"), HasSubstr("overlap")));
}

}  // namespace
}  // namespace cuprum::parallel
