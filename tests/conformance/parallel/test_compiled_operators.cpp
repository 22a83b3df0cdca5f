// Operators that were compiled elsewhere and are linked to the algorithm.
#include "fixture.hpp"

#include <numeric>

#include "cuprum/core/error.hpp"
#include "cuprum/core/program.hpp"

namespace cuprum::parallel {
namespace {

using core::CodeType;
using core::ObjectCode;
using test::Parallel;
using test::Scale;
using testing::AllOf;
using testing::HasSubstr;

ObjectCode compiled(const std::string& source, CodeType type) {
    core::ProgramOptions options;
    options.name = "elsewhere.cu";
    options.arch = "compute_80";
    options.relocatable_device_code = true;
    if (type == CodeType::ltoir) {
        options.arch = "sm_80";
        options.link_time_optimization = true;
    }
    return core::Program(source, core::SourceType::cxx, options).compile(type);
}

constexpr const char* add_squares = R"(
extern "C" __device__ void add_squares(void* a, void* b, void* result) {
    const int x = *static_cast<int*>(a), y = *static_cast<int*>(b);
    *static_cast<int*>(a) = -1;  // operands may be changed
    *static_cast<int*>(result) = x + y * y;
})";
constexpr const char* hypotenuse = R"(
extern "C" __device__ float hypotenuse(float a, float b) { return a * a + b * b; })";
constexpr const char* scaled = R"(
struct Scale { double factor; int offset; };
extern "C" __device__ void scaled(void* state, void* a, void* result) {
    const Scale& scale = *static_cast<Scale*>(state);
    *static_cast<double*>(result) = *static_cast<int*>(a) * scale.factor + scale.offset;
})";

template <class Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

class CompiledOperator : public Parallel, public testing::WithParamInterface<CodeType> {};

TEST_P(CompiledOperator, TakesPointers) {
    const Operator op = Operator::compiled("add_squares", compiled(add_squares, GetParam()));
    EXPECT_EQ(op.text(), "add_squares");
    EXPECT_FALSE(op.kind());
    // Not associative, and so for one order of evaluation alone: both operands of a transformation.
    const Iterator ints = Iterator::pointer(Type::of<int>());
    const Transform transform(ints, ints, op, Type::of<int>());
    for (const uint64_t count : test::sizes()) {
        const std::vector<int> first = test::random_elements<int>(count, 1),
                               second = test::random_elements<int>(count, 2);
        const core::Buffer left = upload(first), right = upload(second), output = memory_for<int>(count);
        transform(stream, left, right, output, count);
        std::vector<int> expected(count);
        for (size_t i = 0; i < count; ++i) {
            const auto y = static_cast<unsigned>(second[i]);
            expected[i] = static_cast<int>(static_cast<unsigned>(first[i]) + y * y);
        }
        EXPECT_EQ(download<int>(output), expected) << count << " elements";
        EXPECT_EQ(download<int>(left), first) << "the input was changed";
    }
}

TEST_P(CompiledOperator, TakesValuesInReductionsScansAndSorts) {
    const ObjectCode code = compiled(R"(
extern "C" __device__ long long larger(long long a, long long b) { return a < b ? b : a; }
extern "C" __device__ bool comes_before(unsigned a, unsigned b) { return a % 1000 < b % 1000; })",
                                     GetParam());
    const Operator larger = Operator::compiled("larger", code, Passing::values);
    const Reduce reduce(Iterator::pointer(Type::of<int64_t>()), larger, Type::of<int64_t>());
    const Scan scan(ScanKind::inclusive, Iterator::pointer(Type::of<int64_t>()), larger, Type::of<int64_t>());
    const MergeSort sort(Operator::compiled("comes_before", code, Passing::values), Type::of<uint32_t>());
    for (const uint64_t count : {uint64_t{1}, uint64_t{1000}, uint64_t{20011}}) {
        const std::vector<int64_t> elements = test::random_elements<int64_t>(count);
        const core::Buffer input = upload(elements), output = memory_for<int64_t>(count), one = memory_for<int64_t>(1);
        reduce(stream, input, one, count, INT64_MIN);
        EXPECT_EQ(download<int64_t>(one).front(), *std::max_element(elements.begin(), elements.end()));
        scan(stream, input, output, count);
        std::vector<int64_t> expected(count);
        std::inclusive_scan(elements.begin(), elements.end(), expected.begin(),
                            [](int64_t a, int64_t b) { return std::max(a, b); });
        EXPECT_EQ(download<int64_t>(output), expected);

        std::vector<uint32_t> keys = test::random_elements<uint32_t>(count);
        const core::Buffer unsorted = upload(keys), sorted = memory_for<uint32_t>(count);
        sort(stream, unsorted, sorted, count);
        std::stable_sort(keys.begin(), keys.end(), [](uint32_t a, uint32_t b) { return a % 1000 < b % 1000; });
        EXPECT_EQ(download<uint32_t>(sorted), keys);
    }
}

TEST_P(CompiledOperator, HasAStateThatDiffersFromCallToCall) {
    const Operator op =
        Operator::compiled("scaled", compiled(scaled, GetParam()), Passing::pointers, Value(Scale{0.5, 3}));
    // As a transformation's operator, and as that of an iterator.
    const std::vector<int> elements{2, -4, 10};
    const core::Buffer input = upload(elements), output = memory_for<double>(3);
    const Transform transform(Iterator::pointer(Type::of<int>()), op, Type::of<double>());
    transform(stream, input, output, 3);
    EXPECT_EQ(download<double>(output), (std::vector<double>{4, 1, 8}));
    const Operator other = op.with_state(Value(Scale{2, 0}));
    transform(stream, input, output, 3, {.op = &other});
    EXPECT_EQ(download<double>(output), (std::vector<double>{4, -8, 20}));

    const Iterator read = Iterator::transform(Iterator::pointer<int>(input), op, Type::of<double>());
    const Reduce sum(read, OpKind::plus, Type::of<double>());
    sum(stream, read, output, 3, 0.0);
    EXPECT_EQ(download<double>(output).front(), 13);
}

class LinkedOperators : public Parallel {};

// As an operator, or in an iterator.
TEST_F(LinkedOperators, AreThereInCuprumsOwnKernelsToo) {
    const ObjectCode code = compiled(R"(
extern "C" __device__ int twice(int a) { return 2 * a; }
extern "C" __device__ bool is_large(int a) { return a > 5; }
extern "C" __device__ bool comes_before(int a, int b) { return a < b; }
extern "C" __device__ int sum(int a, int b) { return a + b; })",
                                     CodeType::ptx);
    const auto function = [&](const char* name) { return Operator::compiled(name, code, Passing::values); };
    const core::Buffer input = upload(std::vector<int>{1, 3, 7, 9}), output = memory_for<int>(8),
                       position = memory_for<uint64_t>(1), levels = upload(std::vector<int>{2, 7, 18}),
                       begins = upload(std::vector<int64_t>{0, 2}), ends = upload(std::vector<int64_t>{2, 4});
    const Iterator ints = Iterator::pointer<int>(input);
    const Iterator doubled = Iterator::transform(ints, function("twice"), Type::of<int>());
    const auto first = [&](uint64_t count) {
        std::vector<int> elements = download<int>(output);
        elements.resize(count);
        return elements;
    };
    FindIf(ints, function("is_large"))(stream, ints, position, 4);
    EXPECT_EQ(download<uint64_t>(position).front(), 2U);
    const MinMax built(doubled);
    built(stream, doubled, output, 4);
    EXPECT_EQ(first(2), (std::vector{2, 18}));
    TopkKeys(SortOrder::descending, doubled)(stream, doubled, output, 1, 4);
    EXPECT_EQ(first(1), std::vector{18});
    MergeKeys(ints, ints, function("comes_before"))(stream, ints, 4, ints, 4, output);
    EXPECT_EQ(first(8), (std::vector{1, 1, 3, 3, 7, 7, 9, 9}));
    SegmentedScan(ScanKind::inclusive, ints, function("sum"), Type::of<int>())(stream, ints, output, 4, 2, begins,
                                                                               ends);
    EXPECT_EQ(first(4), (std::vector{1, 4, 7, 16}));
    HistogramRange(doubled, Type::of<int>())(stream, doubled, levels, output, 2, 4);
    EXPECT_EQ(first(2), (std::vector{2, 1}));
    ForEach(ints, function("is_large"))(stream, ints, 4);
    stream.sync();
}

TEST_P(CompiledOperator, IsLinkedWithWhatItCalls) {
    const ObjectCode caller = compiled(R"(
extern "C" __device__ int twice(int);
extern "C" __device__ int fourfold(int a) { return twice(twice(a)); })",
                                       GetParam());
    const ObjectCode called = compiled(R"(extern "C" __device__ int twice(int a) { return 2 * a; })", GetParam());
    const Operator op = Operator::compiled("fourfold", caller, Passing::values).with_code(called);
    const core::Buffer input = upload(std::vector<int>{1, 2, 3}), output = memory_for<int>(3);
    Transform(Iterator::pointer(Type::of<int>()), op, Type::of<int>())(stream, input, output, 3);
    EXPECT_EQ(download<int>(output), (std::vector<int>{4, 8, 12}));
}

TEST_P(CompiledOperator, IsRefusedWhereItDoesNotLink) {
    const Iterator floats = Iterator::pointer(Type::of<float>());
    const Operator missing = Operator::compiled("hypotenus", compiled(hypotenuse, GetParam()), Passing::values);
    EXPECT_THAT(message_of([&] { Reduce(floats, missing, Type::of<float>()); }),
                AllOf(HasSubstr("building reduce (operator 'hypotenus'"), HasSubstr("no function of that name"),
                      HasSubstr("extern \"C\"")));
    // What it calls is missing: the log says what.
    const Operator incomplete = Operator::compiled("calls",
                                                   compiled(R"(extern "C" __device__ float absent(float);
extern "C" __device__ float calls(float a, float b) { return absent(a) + b; })",
                                                            GetParam()),
                                                   Passing::values);
    EXPECT_THAT(message_of([&] { Reduce(floats, incomplete, Type::of<float>()); }),
                AllOf(HasSubstr("building reduce (operator 'calls'"), HasSubstr("absent")));
}

INSTANTIATE_TEST_SUITE_P(Operators, CompiledOperator, testing::Values(CodeType::ptx, CodeType::ltoir),
                         [](const auto& kind) { return kind.param == CodeType::ptx ? "Ptx" : "Ltoir"; });

TEST(CompiledOperators, AreRefusedWithTheReason) {
    const ObjectCode ptx = compiled(hypotenuse, CodeType::ptx);
    for (const char* const name : {"", "a b", "1st", "f()", "f;g"}) {
        EXPECT_THAT(message_of([&] { Operator::compiled(name, ptx); }),
                    HasSubstr("no device function can have that name"))
            << name;
    }
    EXPECT_THAT(message_of([&] { Operator::compiled("f", ObjectCode::from_ltoir(ptx.code())); }),
                AllOf(HasSubstr("making an operator (operator 'f'"), HasSubstr("LTO-IR")));
    EXPECT_THAT(message_of([&] { Operator::compiled("f", ObjectCode::from_ptx("no PTX")); }),
                HasSubstr("making an operator (operator 'f'"));
    EXPECT_THROW(Operator::compiled("f", ObjectCode()), Error);
    EXPECT_THAT(message_of([&] { Operator::compiled("f", ptx, Passing::values, Value(Scale{1, 2})); }),
                HasSubstr("it has a state, and takes its operands by value"));
    EXPECT_THAT(message_of([&] { Operator::compiled("f", ptx, Passing::pointers, Value(1.5)); }),
                HasSubstr("expected a struct"));
    EXPECT_THAT(message_of([&] { Operator("a * b + 1").with_code(ptx); }), HasSubstr("was not compiled elsewhere"));
}

TEST(CompiledOperators, DifferByTheirCode) {
    const ObjectCode ptx = compiled(hypotenuse, CodeType::ptx);
    const Operator op = Operator::compiled("hypotenuse", ptx, Passing::values);
    EXPECT_TRUE(op.has_code_of(Operator::compiled("hypotenuse", ptx, Passing::values)));
    EXPECT_FALSE(op.has_code_of(Operator::compiled("hypotenuse", ptx)));
    EXPECT_FALSE(op.has_code_of(op.with_code(ptx)));
    EXPECT_FALSE(op.has_code_of(Operator("hypotenuse")));
}

}  // namespace
}  // namespace cuprum::parallel
