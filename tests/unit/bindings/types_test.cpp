// The types of the headers as data. That the lists agree with the headers is asserted where they are compiled;
// constants are compared here, because a cast to a pointer is no constant expression.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "environment.hpp"

namespace cuprum::bindings::test {
namespace {

struct Value {
    const char* name;
    std::uint64_t listed;
    std::uint64_t of_header;
};

#define CUPRUM_ENUMERATOR(enumeration, name, value)
#define CUPRUM_RECORD(type, size, alignment)
#define CUPRUM_FIELD(type, path, offset, size, shape)
#define CUPRUM_CONSTANT(name, value) {#name, static_cast<std::uint64_t>(value), (std::uint64_t)(name)},
const Value constants[] = {
#include "cuprum/bindings/driver_types.def"
#include "cuprum/bindings/runtime_types.def"
};

TEST(Types, ConstantsHaveTheHeadersValues) {
    EXPECT_GT(std::size(constants), 100u);
    for (const Value& constant : constants) {
        EXPECT_EQ(constant.listed, constant.of_header) << constant.name;
    }
}

TEST(Types, EachLibraryKnowsItsOwn) {
    const Types& types = driver::library().types();
    const Record* record = types.find_record("CUDA_MEMCPY2D_st");
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->size, sizeof(CUDA_MEMCPY2D));
    EXPECT_EQ(types.fields_of(*record).size(), 16u);
    EXPECT_STREQ(types.fields_of(*record)[3].path, "srcHost");
    EXPECT_EQ(types.fields_of(*record)[3].offset, offsetof(CUDA_MEMCPY2D, srcHost));
    EXPECT_STREQ(types.find_enumerator("cudaError_enum", CUDA_ERROR_OUT_OF_MEMORY)->name, "CUDA_ERROR_OUT_OF_MEMORY");
    EXPECT_EQ(types.find_enumerator("cudaError_enum", 123456), nullptr);
    EXPECT_EQ(types.find_enumerator("cudaError_enum", "cudaErrorInvalidValue"), nullptr);
    EXPECT_NE(runtime::library().types().find_enumerator("cudaError", "cudaErrorInvalidValue"), nullptr);
    EXPECT_EQ(nvrtc::library().types().find_record("CUDA_MEMCPY2D_st"), nullptr);
}

TEST(Types, EveryLibrarysStatusIsAnEnumerationOfItsOwn) {
    for (const Library* library : libraries()) {
        const Enumerator* success = library->types().find_enumerator(library->status(), 0);
        ASSERT_NE(success, nullptr) << library->name();
        EXPECT_STRCASEEQ(success->name + std::string(success->name).size() - 7, "success");
    }
}

// Fields of structures without a name stand in their place, with offsets from the record's beginning.
TEST(Types, FieldsOfNamelessStructuresHaveThePathThatProgramsWrite) {
    const Types& types = driver::library().types();
    const auto fields = types.fields_of(*types.find_record("CUDA_RESOURCE_DESC_st"));
    const auto found = std::ranges::find_if(
        fields, [](const Field& field) { return std::string(field.path) == "res.pitch2D.pitchInBytes"; });
    ASSERT_NE(found, fields.end());
    EXPECT_EQ(found->offset, offsetof(CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes));
}

TEST(Types, RecordsAreSorted) {
    for (const Library* library : libraries()) {
        const auto records = library->types().records;
        EXPECT_TRUE(std::ranges::is_sorted(records, [](const Record& a, const Record& b) {
            return std::string(a.type) < b.type;
        })) << library->name();
    }
}

}  // namespace
}  // namespace cuprum::bindings::test
