#include "driver/module/link_state.hpp"

#include "driver/error/driver_error.hpp"
#include "image/host_object.hpp"
#include "image/simulator_object.hpp"
#include "ptx/linker.hpp"
#include "ptx/parser.hpp"

namespace cuprum::simulator::libcuda {

void LinkState::refuse(CUresult code, const std::string& message) {
    options_.write_error_log(message);
    throw DriverError(code, message);
}

void LinkState::add(CUjitInputType type, const void* data, size_t size, const std::string& name) {
    const std::lock_guard lock(mutex_);
    if (!object_.empty()) throw DriverError(CUDA_ERROR_INVALID_VALUE, "the linking is complete already");
    const auto add_image = [&](const void* image, size_t length) {
        std::string ptx = ptx_of_image(image, length, model_, options_);
        const ptx::ParseResult parsed = ptx::parse(ptx);
        if (!parsed.diagnostics.empty()) {
            refuse(CUDA_ERROR_INVALID_PTX, name + ": " + ptx::format(parsed.diagnostics.front(), ptx));
        }
        inputs_.push_back({name, std::move(ptx)});
        // A conflict with what was added before is reported at once; what is missing may come with the next input.
        try {
            static_cast<void>(link(CUDA_ERROR_INVALID_SOURCE));
        } catch (const DriverError&) {
            inputs_.pop_back();
            throw;
        }
    };
    switch (type) {
        case CU_JIT_INPUT_CUBIN:
        case CU_JIT_INPUT_PTX:
        case CU_JIT_INPUT_FATBINARY:
            add_image(data, size);
            return;
        case CU_JIT_INPUT_OBJECT:
        case CU_JIT_INPUT_LIBRARY: {
            const auto found = image::embedded_fat_binaries({static_cast<const char*>(data), size});
            if (found.empty()) refuse(CUDA_ERROR_INVALID_IMAGE, name + " holds no device code");
            for (const image::EmbeddedFatBinary& fat : found) {
                add_image(fat.bytes.data(), fat.bytes.size());
            }
            return;
        }
        case CU_JIT_INPUT_NVVM:
            refuse(CUDA_ERROR_NOT_SUPPORTED,
                   name + " is LTO-IR, which nvJitLink can link and the simulator's driver cannot");
        default:
            refuse(CUDA_ERROR_INVALID_VALUE, format("unknown input type %d", type));
    }
}

std::string LinkState::link(CUresult code_of_errors) {
    std::vector<ptx::LinkInput> inputs;
    inputs.reserve(inputs_.size());
    for (const Input& input : inputs_) {
        inputs.push_back({input.name, input.ptx});
    }
    ptx::LinkResult linked = ptx::link(inputs, options_.max_registers());
    std::string errors;
    for (const std::string& error : linked.errors) {
        errors += "error: " + error + "\n";
    }
    if (!errors.empty()) refuse(code_of_errors, errors);
    return std::move(linked.text);
}

const std::string& LinkState::complete() {
    const std::lock_guard lock(mutex_);
    if (!object_.empty()) return object_;
    if (inputs_.empty()) refuse(CUDA_ERROR_INVALID_VALUE, "there is nothing to link");
    const std::string linked = link(CUDA_ERROR_INVALID_IMAGE);
    // Only the decoder knows which declarations are used, and which of them the driver itself provides.
    const Program::Loaded loaded = Program::load(linked, model_, Program::Undefined::error);
    if (!loaded.program) {
        const LoadError error = loaded.error.value_or(LoadError{});
        refuse(error.kind == LoadError::Kind::unresolved_symbol ? CUDA_ERROR_INVALID_IMAGE
               : error.kind == LoadError::Kind::unsupported_ptx ? CUDA_ERROR_NOT_SUPPORTED
                                                                : CUDA_ERROR_INVALID_PTX,
               error.log);
    }
    options_.write_error_log("");
    options_.write_information_log("");
    const uint32_t own = model_.compute_capability_major * 10 + model_.compute_capability_minor;
    object_ = image::make_simulator_object(options_.target() != 0 ? options_.target() : own, linked);
    return object_;
}

}  // namespace cuprum::simulator::libcuda
