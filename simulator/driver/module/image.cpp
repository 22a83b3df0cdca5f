#include "driver/module/image.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "driver/error/driver_error.hpp"
#include "driver/module/link_state.hpp"
#include "driver/process/cuda_version.hpp"
#include "image/elf.hpp"
#include "image/fat_binary.hpp"
#include "image/simulator_object.hpp"

namespace cuprum::simulator::libcuda {

namespace {

const char* const how_to_give_ptx =
    "run the program with cuprum-simulate, whose companions of libnvrtc and libnvJitLink give it code that the "
    "simulator "
    "runs; or compile for compute_XX (NVRTC: --gpu-architecture=compute_80; nvcc: -arch=compute_80 -code=compute_80)";

constexpr uint32_t lto_magic = 0x7f4e43ed;

[[noreturn]] void refuse_image(CUresult code, const std::string& message, JitOptions& options) {
    options.write_error_log(message);
    throw DriverError(code, message);
}

// Throws for text of a later ISA version than a driver of the version that CUPRUM_SIM asks for knows. Of the objects
// that stand for machine code nobody asks: a driver loads that without its PTX compiler.
void check_version(std::string_view text, JitOptions& options) {
    const std::optional<IsaVersion> newest = newest_loadable_ptx();
    if (!newest) return;
    const size_t directive = text.find(".version");
    if (directive == std::string_view::npos) return;
    const std::string number(text.substr(directive + std::strlen(".version"), 16));
    unsigned int major = 0, minor = 0;
    const char* const end = number.data() + number.size();
    const char* const first = std::find_if(number.data(), end, [](char c) { return c >= '0' && c <= '9'; });
    const auto [dot, bad_major] = std::from_chars(first, end, major);
    if (bad_major != std::errc{} || dot == end || *dot != '.') return;
    if (std::from_chars(dot + 1, end, minor).ec != std::errc{}) return;
    if (std::pair(major, minor) <= std::pair(newest->major, newest->minor)) return;
    refuse_image(
        CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
        format("the PTX is of ISA version %u.%u; a driver of CUDA %d.%d, which CUPRUM_SIM=cuda= asks for, loads "
               "versions up "
               "to %u.%u: compile to a cubin or with an older NVRTC or nvcc, or leave the option out",
               major, minor, cuda_version() / 1000, cuda_version() % 1000 / 10, newest->major, newest->minor),
        options);
}

uint32_t capability_number(const DeviceModel& model) {
    return model.compute_capability_major * 10 + model.compute_capability_minor;
}

std::string capability_text(const DeviceModel& model) {
    return std::to_string(model.compute_capability_major) + "." + std::to_string(model.compute_capability_minor);
}

// The PTX in a fat binary for the highest architecture that the device can run.
std::string ptx_of_fat_binary(std::string_view bytes, const DeviceModel& model, JitOptions& options) {
    const std::optional<std::vector<image::FatEntry>> entries = image::fat_binary_entries(bytes);
    if (!entries) refuse_image(CUDA_ERROR_INVALID_IMAGE, "the fat binary is cut short or damaged", options);
    // Companions make machine code that holds PTX, and programs make fat binaries of it.
    const uint32_t capability = capability_number(model);
    if (const image::FatEntry* entry = image::best_entry(*entries, image::FatEntryKind::machine_code, capability)) {
        const image::Decompressed object = entry->bytes();
        if (object.error.empty() && image::is_simulator_object(object.bytes.data(), object.bytes.size())) {
            return ptx_of_image(object.bytes.data(), object.bytes.size(), model, options);
        }
    }
    const image::FatEntry* best = image::best_entry(*entries, image::FatEntryKind::ptx, capability);
    if (best == nullptr) {
        refuse_image(CUDA_ERROR_NO_BINARY_FOR_GPU,
                     "this fat binary holds no PTX that compute capability " + capability_text(model) +
                         " can run, and the simulator runs no machine code; " + how_to_give_ptx,
                     options);
    }
    const image::Decompressed text = best->bytes();
    if (!text.error.empty()) {
        refuse_image(CUDA_ERROR_INVALID_IMAGE, "the PTX in this fat binary cannot be read: " + text.error, options);
    }
    const std::string ptx = text.bytes.substr(0, text.bytes.find('\0'));
    check_version(ptx, options);
    return ptx;
}

// What the simulator's companions made. Runs where a cubin of its architecture would: on devices of the same major
// capability and of no lower minor one.
std::string ptx_of_simulator_object(const void* bytes, std::optional<size_t> size, const DeviceModel& model,
                                    JitOptions& options) {
    const image::ReadObject read = image::read_simulator_object(bytes, size);
    if (!read.object) {
        refuse_image(CUDA_ERROR_INVALID_IMAGE, "this is an object of the simulator's, but " + read.error, options);
    }
    const uint32_t architecture = read.object->architecture;
    if (architecture / 10 != model.compute_capability_major || architecture > capability_number(model)) {
        refuse_image(
            CUDA_ERROR_NO_BINARY_FOR_GPU,
            format("this code was compiled for sm_%u, which does not run on compute capability %s; compile for the "
                   "device, or choose another with CUPRUM_SIM=cc=%u.%u",
                   architecture, capability_text(model).c_str(), architecture / 10, architecture % 10),
            options);
    }
    return std::string(read.object->ptx);
}

// A cubin of NVIDIA's, or an ELF file that has nothing to do with CUDA.
[[noreturn]] void refuse_elf(const char* bytes, std::optional<size_t> size, JitOptions& options) {
    const bool whole_header = !size || *size >= sizeof(image::ElfHeader);
    if (!whole_header || image::read<image::ElfHeader>(bytes).machine != image::elf_machine_cuda) {
        refuse_image(CUDA_ERROR_INVALID_IMAGE, "the image is an ELF file, but not one for a GPU", options);
    }
    refuse_image(CUDA_ERROR_NO_BINARY_FOR_GPU,
                 std::string("this is machine code (a cubin), which the simulator does not run; ") + how_to_give_ptx,
                 options);
}

std::shared_ptr<const Program> load_ptx(std::string_view text, const DeviceModel& model, JitOptions& options) {
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
    refuse_image(unsupported ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_PTX, error.log, options);
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
            case CU_JIT_TARGET:
                target_ = static_cast<uint32_t>(number);
                break;
            case CU_JIT_MAX_REGISTERS:
                max_registers_ = static_cast<uint32_t>(number);
                break;
            default:
                if (options[index] < 0 || options[index] >= CU_JIT_NUM_OPTIONS) {
                    throw DriverError(CUDA_ERROR_INVALID_VALUE, format("unknown JIT option %d", options[index]));
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

std::string ptx_of_image(const void* image, std::optional<size_t> size, const DeviceModel& model, JitOptions& options) {
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
    if (begins_with(image::read<uint32_t>(image::elf_magic.data()))) {
        if (!image::is_simulator_object(bytes, size)) refuse_elf(bytes, size, options);
        return ptx_of_simulator_object(bytes, size, model, options);
    }
    if (begins_with(lto_magic)) {
        refuse_image(CUDA_ERROR_INVALID_IMAGE,
                     std::string("this is LTO-IR, which the simulator does not run; ") + how_to_give_ptx, options);
    }
    if (begins_with(image::fat_binary_wrapper_magic)) {
        refuse_image(
            CUDA_ERROR_INVALID_IMAGE,
            "this is the wrapper of a fat binary, which only cuLibraryLoadData takes; give the fat binary itself",
            options);
    }
    if (begins_with(image::fat_binary_magic)) {
        return ptx_of_fat_binary({bytes, size ? *size : image::fat_binary_size(bytes)}, model, options);
    }
    const std::string_view text =
        size ? std::string_view(bytes, *size).substr(0, std::string_view(bytes, *size).find('\0'))
             : std::string_view(bytes);
    // PTX begins with comments or .version: what has no such directive is some other file.
    if (text.find(".version") == std::string_view::npos) {
        refuse_image(CUDA_ERROR_INVALID_IMAGE, "the image is not PTX: it has no .version directive", options);
    }
    check_version(text, options);
    return std::string(text);
}

std::shared_ptr<const Program> load_image(const void* image, std::optional<size_t> size, const DeviceModel& model,
                                          JitOptions& options) {
    return load_ptx(ptx_of_image(image, size, model, options), model, options);
}

namespace {

// The fat binaries of a program's objects, linked. The list ends with null.
std::shared_ptr<const Program> link_objects(const void* const* objects, const DeviceModel& model, JitOptions& options) {
    LinkState state(model, options);
    for (size_t index = 0; objects[index] != nullptr; ++index) {
        state.add(CU_JIT_INPUT_FATBINARY, objects[index], image::fat_binary_size(objects[index]),
                  format("object %zu of the fat binary's wrapper", index));
    }
    const std::string& linked = state.complete();
    return load_image(linked.data(), linked.size(), model, options);
}

}  // namespace

std::shared_ptr<const Program> load_image_or_wrapper(const void* image, const DeviceModel& model, JitOptions& options) {
    require_pointer(image, "the image");
    // Compared as text, so that a short one is not read past its end.
    const uint32_t magic = image::fat_binary_wrapper_magic;
    if (std::strncmp(static_cast<const char*>(image), reinterpret_cast<const char*>(&magic), sizeof magic) != 0) {
        return load_image(image, std::nullopt, model, options);
    }
    const auto wrapper = image::read<image::FatBinaryWrapper>(image);
    if (wrapper.data == nullptr) refuse_image(CUDA_ERROR_INVALID_IMAGE, "the fat binary's wrapper is empty", options);
    try {
        return load_image(wrapper.data, std::nullopt, model, options);
    } catch (const DriverError& error) {
        // -rdc=true: nvcc has linked machine code; beside it are the objects' own binaries, with the PTX.
        const bool has_objects = wrapper.version >= 2 && wrapper.objects != nullptr;
        if (error.code() != CUDA_ERROR_NO_BINARY_FOR_GPU || !has_objects) throw;
    }
    return link_objects(static_cast<const void* const*>(wrapper.objects), model, options);
}

bool is_text(const void* image) {
    const std::string_view text(static_cast<const char*>(image));
    return std::all_of(text.begin(), text.begin() + std::min<size_t>(text.size(), 2),
                       [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t'; });
}

std::vector<char> read_image_file(const char* path) {
    require_pointer(path, "the file's name");
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw DriverError(CUDA_ERROR_FILE_NOT_FOUND, std::string(path) + " cannot be opened: " + std::strerror(errno));
    }
    std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    // So that there is something to point to.
    bytes.push_back('\0');
    return bytes;
}

std::shared_ptr<const Program> load_image_file(const char* path, const DeviceModel& model, JitOptions& options) {
    const std::vector<char> bytes = read_image_file(path);
    return load_image(bytes.data(), bytes.size() - 1, model, options);
}

}  // namespace cuprum::simulator::libcuda
