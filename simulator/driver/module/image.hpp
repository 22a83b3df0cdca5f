// The images that cuModuleLoad* and cuLibraryLoad* take.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/process/cuda_api.hpp"
#include "engine/engine.hpp"

namespace cuprum::simulator::libcuda {

class Device;

// The options of cuModuleLoadDataEx and cuLibraryLoadData that have an effect here: where the logs go. Filled in for
// every load, with the number of bytes written.
class JitOptions {
public:
    // Throws DriverError for an unknown option.
    JitOptions(unsigned int count, const CUjit_option* options, void** values);

    // CU_JIT_TARGET: 80 for sm_80; 0: the device's own.
    uint32_t target() const { return target_; }
    uint32_t max_registers() const { return max_registers_; }

    void write_error_log(const std::string& text) { write(error_buffer_, error_capacity_, error_size_, text); }
    void write_information_log(const std::string& text) {
        write(information_buffer_, information_capacity_, information_size_, text);
    }

private:
    static void write(char* buffer, size_t capacity, void** size, const std::string& text);

    char* error_buffer_ = nullptr;
    char* information_buffer_ = nullptr;
    uint32_t target_ = 0, max_registers_ = 0;
    size_t error_capacity_ = 0, information_capacity_ = 0;
    void** error_size_ = nullptr;  // the options' own values, where the sizes are reported
    void** information_size_ = nullptr;
};

// Loads PTX text, the PTX of a fat binary, or an object that the simulator's companions made. `size` is known for files
// alone; else text ends at its first NUL, and binaries carry their size. Throws DriverError with the driver's code for
// what cannot be run: machine code, fat binaries without PTX, LTO-IR, bad PTX.
std::shared_ptr<const Program> load_image(const void* image, std::optional<size_t> size, const DeviceModel& model,
                                          JitOptions& options);
// A host program's wrapper of a fat binary (fatbinary_section.h), or an image as above: what cuLibraryLoadData takes,
// and cuModuleLoadData and cuModuleLoadFatBinary do not.
std::shared_ptr<const Program> load_image_or_wrapper(const void* image, const DeviceModel& model, JitOptions& options);
// Whether an image begins as text does, and as none of the binary formats do.
bool is_text(const void* image);
// The PTX that load_image would load. Throws likewise, but for what only shows when it is read.
std::string ptx_of_image(const void* image, std::optional<size_t> size, const DeviceModel& model, JitOptions& options);
// The bytes of a file, and a NUL behind them. Throws DriverError(CUDA_ERROR_FILE_NOT_FOUND).
std::vector<char> read_image_file(const char* path);
// load_image for a file.
std::shared_ptr<const Program> load_image_file(const char* path, const DeviceModel& model, JitOptions& options);

}  // namespace cuprum::simulator::libcuda
