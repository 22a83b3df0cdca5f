#include "missing_header.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "cuprum/pathfinder/error.hpp"
#include "cuprum/pathfinder/pathfinder.hpp"

namespace cuprum::core {

namespace {

using pathfinder::PartKind;

// What of the host's libraries a kernel has without any #include.
struct BuiltIn {
    std::string_view headers;  // each between spaces
    const char* what;
};
constexpr BuiltIn built_in[] = {
    {" stdio.h cstdio iostream ", "printf is built in"},
    {" assert.h cassert ", "assert is built in"},
    {" stdlib.h cstdlib ", "malloc and free are built in"},
    {" string.h cstring memory.h ", "memcpy and memset are built in"},
    {" math.h cmath ", "the functions of <cmath> are built in"},
    {" time.h ctime ", "clock and clock64 are built in"},
    {" new ", "new and delete are built in"},
};

// The C++ library's names, and C's headers without their ".h". What libcu++ has of them is seen in its folder.
constexpr std::string_view host_headers =
    " algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv chrono "
    "cinttypes "
    "climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal cstdarg "
    "cstddef "
    "cstdint cstdio cstdlib cstring ctgmath ctime cuchar cwchar cwctype deque exception execution expected filesystem "
    "format "
    "forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits "
    "list "
    "locale map memory memory_resource mutex new numbers numeric optional ostream print queue random ranges ratio "
    "regex "
    "scoped_allocator semaphore set shared_mutex source_location span sstream stack stacktrace stdexcept stop_token "
    "streambuf string string_view syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map "
    "unordered_set utility valarray variant vector version ";
constexpr std::string_view host_c_headers =
    " alloca.h assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h malloc.h math.h "
    "memory.h pthread.h setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h "
    "stdnoreturn.h string.h strings.h tgmath.h threads.h time.h uchar.h unistd.h wchar.h wctype.h windows.h ";

bool is_in(std::string_view list, std::string_view name) {
    return list.find(" " + std::string(name) + " ") != std::string_view::npos;
}

bool is_host_header(std::string_view header) {
    return is_in(host_headers, header) || is_in(host_c_headers, header) || header.starts_with("sys/") ||
           header.starts_with("bits/") || header.starts_with("gnu/");
}

template <std::size_t count>
bool starts_with_one_of(std::string_view header, const std::array<std::string_view, count>& prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return header.starts_with(prefix); });
}

// The part of the toolkit, by pathfinder's name, that brings a header; empty if none does.
std::string part_with(std::string_view header) {
    constexpr std::array<std::string_view, 4> cccl = {"cub/", "thrust/", "cuda/", "nv/"};
    constexpr std::array<std::string_view, 12> runtime = {
        "cuda",         "cooperative_groups", "vector_types.", "vector_functions.", "device_",  "driver_",
        "host_defines", "builtin_types",      "mma.h",         "math_constants.h",  "texture_", "surface_"};
    constexpr std::array<std::string_view, 7> libraries = {"curand", "cublas", "cusparse", "cusolver",
                                                           "cufft",  "nvjpeg", "npp"};
    if (starts_with_one_of(header, cccl)) return "cccl";
    if (header.starts_with("crt/")) return "crt";
    for (const std::string_view library : libraries) {
        if (header.starts_with(library)) return std::string(library);
    }
    return starts_with_one_of(header, runtime) ? "cudart" : "";
}

// libcu++'s header of the same content, "cuda/std/cstdint" for "stdint.h"; empty if none of the folders has it.
std::string header_of_libcuxx(std::string_view header, std::span<const std::string> folders) {
    std::string name(header);
    if (name.ends_with(".h")) name = "c" + name.substr(0, name.size() - 2);
    std::string candidate = "cuda/std/" + name;
    std::error_code unknown;
    for (const std::string& folder : folders) {
        if (std::filesystem::exists(std::filesystem::path(folder) / candidate, unknown)) return candidate;
    }
    return {};
}

std::string advice_for_host_header(const std::string& header, std::span<const std::string> folders) {
    const std::string why = "NVRTC compiles for the device alone, without the host's headers: ";
    for (const BuiltIn& each : built_in) {
        if (is_in(each.headers, header)) return why + "remove #include <" + header + ">, " + each.what;
    }
    if (const std::string other = header_of_libcuxx(header, folders); !other.empty()) {
        return why + "include <" + other + "> in its place, and write cuda::std:: for std::";
    }
    return why + "remove #include <" + header +
           ">, or keep what only the host needs between #ifndef __CUDACC_RTC__ and #endif";
}

std::string advice_for_toolkit_header(const std::string& header, const std::string& part) {
    try {
        const pathfinder::LocatedPart& located = pathfinder::locate(PartKind::headers, part);
        return "CUDA's headers in " + located.abs_path + " have no " + header +
               ": see whether the name is right, or take another toolkit with CUPRUM_TOOLKIT";
    } catch (const NotFound& error) {
        return "the headers of CUDA that have " + header + " are not on this machine: " + error.advice();
    } catch (const Error&) {
        return {};  // CUPRUM_TOOLKIT is wrong, of which the compile itself has spoken
    }
}

}  // namespace

std::string missing_header(const std::string& log) {
    // "could not open source file" and "cannot open source file", by the NVRTC version.
    constexpr std::string_view marker = "open source file \"";
    const std::size_t found = log.find(marker);
    if (found == std::string::npos) return {};
    const std::size_t begin = found + marker.size();
    return log.substr(begin, log.find('"', begin) - begin);
}

bool is_toolkit_header(const std::string& header) {
    return !is_host_header(header) && !part_with(header).empty();
}

std::string advice_for_missing_header(const std::string& header, std::span<const std::string> folders) {
    if (is_host_header(header)) return advice_for_host_header(header, folders);
    if (const std::string part = part_with(header); !part.empty()) return advice_for_toolkit_header(header, part);
    return "add the folder that has " + header + " to the include path (include_path of the program's options)";
}

}  // namespace cuprum::core
