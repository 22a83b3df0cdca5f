// CUDA C++ that uses every family of the toolkit's headers compiles and loads for every architecture: what NVRTC emits
// for ordinary programs, the driver under test runs.
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>

#include "fixture.hpp"

namespace cuprum::core {
namespace {

struct Source {
    const char* file;
    int architecture;
    bool fast_math = false;
    bool debug = false;
};
std::ostream& operator<<(std::ostream& out, const Source& source) {
    return out << source.file << " for compute_" << source.architecture << (source.fast_math ? ", fast math" : "")
               << (source.debug ? ", debug" : "");
}

std::string read(const std::string& name) {
    const char* const folder = std::getenv("CUPRUM_TEST_DATA");
    const std::string path = std::string(folder != nullptr ? folder : CUPRUM_TEST_DATA_FOLDER) + "/cuda/" + name;
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path + " cannot be read");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class CudaHeaders : public testing::TestWithParam<Source> {};

TEST_P(CudaHeaders, CompileAndLoad) {
    const auto [major, minor] = Device(0).compute_capability();
    if (GetParam().architecture > 10 * major + minor) GTEST_SKIP() << "the device is older";
    const std::string text = read(GetParam().file);
    ProgramOptions options;
    options.name = GetParam().file;
    options.arch = "compute_" + std::to_string(GetParam().architecture);
    if (GetParam().fast_math) options.use_fast_math = true;
    if (GetParam().debug) options.debug = true;
    const ObjectCode code = Program(text, SourceType::cxx, options).compile(CodeType::ptx);
    const std::regex kernel("extern \"C\" __global__ void (\\w+)");
    size_t kernels = 0;
    for (std::sregex_iterator found(text.begin(), text.end(), kernel), end; found != end; ++found, ++kernels)
        EXPECT_NO_THROW(static_cast<void>(code.get_kernel((*found)[1].str()))) << (*found)[1];
    EXPECT_GT(kernels, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    All, CudaHeaders,
    testing::Values(Source{"half.cu", 75}, Source{"half.cu", 80}, Source{"half.cu", 90},
                    Source{"half.cu", 80, false, true}, Source{"bfloat.cu", 80}, Source{"bfloat.cu", 90},
                    Source{"bfloat.cu", 90, false, true}, Source{"float8.cu", 75}, Source{"float8.cu", 80},
                    Source{"float8.cu", 89}, Source{"float8.cu", 90}, Source{"simd.cu", 75}, Source{"simd.cu", 86},
                    Source{"simd.cu", 89}, Source{"simd.cu", 90}, Source{"warp.cu", 75}, Source{"warp.cu", 80},
                    Source{"warp.cu", 90}, Source{"warp.cu", 90, false, true}, Source{"language.cu", 75},
                    Source{"language.cu", 90}, Source{"language.cu", 80, false, true}, Source{"math.cu", 80},
                    Source{"math.cu", 90, true}, Source{"library.cu", 80}, Source{"library.cu", 90}));

}  // namespace
}  // namespace cuprum::core
