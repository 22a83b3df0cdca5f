#include "driver/image.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

#include "driver/driver_error.hpp"

namespace cuprum::simulator::libcuda {

namespace {

const char* const how_to_give_ptx =
    "give it PTX instead: compile for compute_XX (NVRTC: --gpu-architecture=compute_80; nvcc: -arch=compute_80 "
    "-code=compute_80)";

// Fat binaries: a header, then entries. The layout is what nvcc's fatbinary writes (fatbinary_section.h has the
// wrapper; the rest is read off files).
struct FatWrapper {
    uint32_t magic;
    uint32_t version;
    const void* data;
    void* unused;
};
struct FatHeader {
    uint32_t magic;
    uint16_t version;
    uint16_t header_size;
    uint64_t body_size;
};
struct FatEntry {
    uint16_t kind;
    uint16_t version;
    uint32_t header_size;
    uint64_t size;             // bytes of the payload, padding included
    uint32_t compressed_size;  // 0: not compressed
    uint32_t unused1;
    uint16_t minor, major;
    uint32_t architecture;
    uint32_t name_offset, name_size;
    uint64_t flags;
    uint64_t unused2;
    uint64_t uncompressed_size;
};
constexpr uint32_t fat_wrapper_magic = 0x466243b1;
constexpr uint32_t fat_magic = 0xba55ed50;
constexpr uint16_t fat_kind_ptx = 1;
constexpr uint32_t lto_magic = 0x7f4e43ed;
constexpr uint64_t fat_flags_compressed = 0xf000;

// ELF: e_machine, and its value for machine code of GPUs (EM_CUDA).
constexpr size_t elf_machine_offset = 18;
constexpr uint16_t elf_machine_cuda = 190;
constexpr char elf_magic[] =
    "\x7f"
    "ELF";

template <typename Value>
Value read(const void* from) {
    Value value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

[[noreturn]] void refuse(CUresult code, const std::string& message, JitOptions& options) {
    options.write_error_log(message);
    throw DriverError(code, message);
}

// The PTX ISA that the driver of CUDA 13.0 knows.
constexpr unsigned int newest_major = 9, newest_minor = 0;

// Throws for text of a later ISA version, where the parser could only say that it does not know some instruction.
void check_version(std::string_view text, JitOptions& options) {
    const size_t directive = text.find(".version");
    if (directive == std::string_view::npos) return;
    const std::string number(text.substr(directive + std::strlen(".version"), 16));
    unsigned int major = 0, minor = 0;
    const char* const end = number.data() + number.size();
    const char* const first = std::find_if(number.data(), end, [](char c) { return c >= '0' && c <= '9'; });
    const auto [dot, bad_major] = std::from_chars(first, end, major);
    if (bad_major != std::errc{} || dot == end || *dot != '.') return;
    if (std::from_chars(dot + 1, end, minor).ec != std::errc{}) return;
    if (major < newest_major || (major == newest_major && minor <= newest_minor)) return;
    refuse(
        CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
        format("the PTX is of ISA version %u.%u; the simulator knows versions up to %u.%u: compile with the NVRTC or "
               "nvcc of CUDA 13.0 or older",
               major, minor, newest_major, newest_minor),
        options);
}

std::shared_ptr<const Program> load_ptx(std::string_view text, const DeviceModel& model, JitOptions& options) {
    check_version(text, options);
    Program::Loaded loaded = Program::load(text, model);
    if (loaded.program) {
        options.write_error_log("");
        options.write_information_log("");
        return std::move(loaded.program);
    }
    const LoadError error = loaded.error.value_or(LoadError{});
    options.write_information_log("");
    // What is PTX, and what the simulator lacks, are different mistakes.
    const bool unsupported = error.kind == LoadError::Kind::unsupported_ptx;
    refuse(unsupported ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_PTX, error.log, options);
}

// The uncompressed PTX in a fat binary for the highest architecture that the device can run.
std::shared_ptr<const Program> load_fat_binary(const char* data, std::optional<size_t> size, const DeviceModel& model,
                                               JitOptions& options) {
    const auto truncated = [&] { refuse(CUDA_ERROR_INVALID_IMAGE, "the fat binary is cut short", options); };
    if (size && *size < sizeof(FatHeader)) truncated();
    const auto header = read<FatHeader>(data);
    if (header.header_size < sizeof(FatHeader) || header.body_size > (1ull << 40)) truncated();
    if (size && header.header_size + header.body_size > *size) truncated();
    const uint32_t capability = model.compute_capability_major * 10 + model.compute_capability_minor;
    std::string_view best;
    uint32_t best_architecture = 0;
    bool compressed = false;
    const char* entry = data + header.header_size;
    const char* end = entry + header.body_size;
    while (static_cast<size_t>(end - entry) >= sizeof(FatEntry)) {
        const auto fields = read<FatEntry>(entry);
        const auto room = static_cast<uint64_t>(end - entry);
        if (fields.header_size < sizeof(FatEntry) || fields.header_size > room ||
            fields.size > room - fields.header_size) {
            truncated();
        }
        if (fields.kind == fat_kind_ptx) {
            if (fields.compressed_size != 0 || (fields.flags & fat_flags_compressed) != 0) {
                compressed = true;
            } else if (fields.architecture <= capability && fields.architecture >= best_architecture) {
                best_architecture = fields.architecture;
                best = std::string_view(entry + fields.header_size, fields.size);
            }
        }
        entry += fields.header_size + fields.size;
    }
    if (best.empty()) {
        refuse(CUDA_ERROR_NO_BINARY_FOR_GPU,
               compressed
                   ? "the PTX in this fat binary is compressed, which the simulator does not read: build it with "
                     "nvcc --no-compress, or load the PTX itself"
                   : std::string("this fat binary holds no PTX that compute capability ") +
                         std::to_string(model.compute_capability_major) + "." +
                         std::to_string(model.compute_capability_minor) +
                         " can run, and the simulator runs no machine code; " + how_to_give_ptx,
               options);
    }
    return load_ptx(best.substr(0, best.find('\0')), model, options);
}

}  // namespace

JitOptions::JitOptions(unsigned int count, const CUjit_option* options, void** values) {
    if (count == 0) return;
    require_pointer(options, "options");
    require_pointer(values, "optionValues");
    for (unsigned int index = 0; index < count; ++index) {
        void** value = values + index;
        // Numbers are passed in the pointer's own bytes.
        const auto number = reinterpret_cast<uintptr_t>(*value);
        switch (options[index]) {
            case CU_JIT_ERROR_LOG_BUFFER:
                error_buffer_ = static_cast<char*>(*value);
                break;
            case CU_JIT_INFO_LOG_BUFFER:
                information_buffer_ = static_cast<char*>(*value);
                break;
            case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
                error_capacity_ = static_cast<unsigned int>(number);
                error_size_ = value;
                break;
            case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
                information_capacity_ = static_cast<unsigned int>(number);
                information_size_ = value;
                break;
            default:
                if (options[index] < 0 || options[index] >= CU_JIT_NUM_OPTIONS) {
                    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("there is no JIT option %d", options[index]));
                }
                break;  // about machine code that is not made here
        }
    }
}

void JitOptions::write(char* buffer, size_t capacity, void** size, const std::string& text) {
    size_t count = 0;
    if (buffer != nullptr && capacity > 0) {
        count = std::min(text.size(), capacity - 1);
        std::memcpy(buffer, text.data(), count);
        buffer[count] = '\0';
    }
    if (size != nullptr) *size = reinterpret_cast<void*>(count);
}

std::shared_ptr<const Program> load_image(const void* image, std::optional<size_t> size, const DeviceModel& model,
                                          JitOptions& options) {
    require_pointer(image, "the image");
    const auto* bytes = static_cast<const char*>(image);
    // Compared byte by byte, so that a short text is not read past its end.
    const auto begins_with = [&](uint32_t magic) {
        for (size_t index = 0; index < sizeof magic; ++index) {
            if (size && index >= *size) return false;
            if (static_cast<unsigned char>(bytes[index]) != (magic >> 8 * index & 0xFF)) return false;
        }
        return true;
    };
    if (begins_with(read<uint32_t>(elf_magic))) {
        const bool whole_header = !size || *size >= elf_machine_offset + sizeof(uint16_t);
        if (!whole_header || read<uint16_t>(bytes + elf_machine_offset) != elf_machine_cuda) {
            refuse(CUDA_ERROR_INVALID_IMAGE, "the image is an ELF file, but not one for a GPU", options);
        }
        refuse(CUDA_ERROR_NO_BINARY_FOR_GPU,
               std::string("this is machine code (a cubin), which the simulator does not run; ") + how_to_give_ptx,
               options);
    }
    if (begins_with(lto_magic)) {
        refuse(CUDA_ERROR_INVALID_IMAGE,
               std::string("this is LTO-IR, which the simulator does not run; ") + how_to_give_ptx, options);
    }
    if (begins_with(fat_wrapper_magic)) {
        if (size) refuse(CUDA_ERROR_INVALID_IMAGE, "a fat binary's wrapper cannot come from a file", options);
        const void* data = read<FatWrapper>(bytes).data;
        if (data == nullptr) refuse(CUDA_ERROR_INVALID_IMAGE, "the fat binary's wrapper is empty", options);
        return load_fat_binary(static_cast<const char*>(data), std::nullopt, model, options);
    }
    if (begins_with(fat_magic)) return load_fat_binary(bytes, size, model, options);
    const std::string_view text =
        size ? std::string_view(bytes, *size).substr(0, std::string_view(bytes, *size).find('\0'))
             : std::string_view(bytes);
    // PTX begins with comments or .version: what has no such directive is some other file.
    if (text.find(".version") == std::string_view::npos) {
        refuse(CUDA_ERROR_INVALID_IMAGE, "the image is no PTX: it has no .version directive", options);
    }
    return load_ptx(text, model, options);
}

std::shared_ptr<const Program> load_image_file(const char* path, const DeviceModel& model, JitOptions& options) {
    require_pointer(path, "the file's name");
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw DriverError(CUDA_ERROR_FILE_NOT_FOUND, std::string(path) + " cannot be opened: " + std::strerror(errno));
    }
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    return load_image(bytes.data() ? bytes.data() : "", bytes.size(), model, options);
}

}  // namespace cuprum::simulator::libcuda
