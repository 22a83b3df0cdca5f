#include "companions/link_session.hpp"

#include <nvrtc.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "companions/architecture.hpp"
#include "image/elf.hpp"
#include "image/fat_binary.hpp"
#include "image/host_object.hpp"
#include "image/simulator_object.hpp"
#include "ptx/parser.hpp"

namespace cuprum::simulator::companions {
namespace {

constexpr std::string_view lto_magic("\xed\x43\x4e\x7f", 4);
constexpr std::string_view fat_binary_magic("\x50\xed\x55\xba", 4);

// What the driver provides to kernels; nobody links it.
constexpr std::array<std::string_view, 4> driver_functions = {"vprintf", "malloc", "free", "__assertfail"};

bool begins_with(std::string_view bytes, std::string_view magic) {
    return bytes.substr(0, magic.size()) == magic;
}

bool is_driver_function(const std::string& name) {
    return std::find(driver_functions.begin(), driver_functions.end(), name) != driver_functions.end();
}

bool is_c_name(const std::string& name) {
    const auto fits = [](unsigned char letter) { return std::isalnum(letter) != 0 || letter == '_'; };
    return std::all_of(name.begin(), name.end(), fits);
}

// Empty if NVRTC is not there or refuses. `folder`: where the library of the same toolkit is likely to be.
std::string compile_to_lto_ir(RealLibrary& nvrtc, const std::string& folder, const std::string& source,
                              uint32_t architecture) {
    const auto call = [&](const char* name, auto... arguments) {
        return forward(nvrtc, NVRTC_ERROR_INTERNAL_ERROR, name, arguments...) == NVRTC_SUCCESS;
    };
    nvrtc.prefer_folder(folder);
    nvrtcProgram program = nullptr;
    if (!call("nvrtcCreateProgram", &program, source.c_str(), "kept.cu", 0, static_cast<const char* const*>(nullptr),
              static_cast<const char* const*>(nullptr))) {
        return {};
    }
    const std::string architecture_option = "--gpu-architecture=compute_" + std::to_string(architecture);
    const char* const options[] = {architecture_option.c_str(), "-dlto", "-rdc=true"};
    std::string lto_ir;
    size_t size = 0;
    if (call("nvrtcCompileProgram", program, 3, static_cast<const char* const*>(options)) &&
        call("nvrtcGetLTOIRSize", program, &size)) {
        lto_ir.resize(size);
        if (!call("nvrtcGetLTOIR", program, lto_ir.data())) lto_ir.clear();
    }
    call("nvrtcDestroyProgram", &program);
    return lto_ir;
}

// 80 for PTX with ".target sm_80"; 0 where it names none.
uint32_t target_of(std::string_view ptx) {
    constexpr std::string_view directive = ".target";
    const size_t at = ptx.find(directive);
    if (at == std::string_view::npos) return 0;
    std::string_view name = ptx.substr(at + directive.size());
    name.remove_prefix(std::min(name.find_first_not_of(" \t"), name.size()));
    return real_architecture(name).value_or(0);
}

// For NVJITLINK_INPUT_ANY.
nvJitLinkInputType type_of(std::string_view bytes) {
    if (begins_with(bytes, lto_magic)) return NVJITLINK_INPUT_LTOIR;
    if (begins_with(bytes, fat_binary_magic)) return NVJITLINK_INPUT_FATBIN;
    if (image::is_library(bytes)) return NVJITLINK_INPUT_LIBRARY;
    if (begins_with(bytes, image::elf_magic) && bytes.size() >= sizeof(image::ElfHeader)) {
        const uint16_t machine = image::read<image::ElfHeader>(bytes.data()).machine;
        return machine == image::elf_machine_cuda ? NVJITLINK_INPUT_CUBIN : NVJITLINK_INPUT_OBJECT;
    }
    return NVJITLINK_INPUT_PTX;
}

}  // namespace

LinkSession::LinkSession(RealLibrary& real, RealLibrary& nvrtc, uint32_t architecture, std::vector<std::string> options)
    : real_(real), nvrtc_(nvrtc), architecture_(architecture), options_(std::move(options)) {
    for (const std::string& option : options_) {
        if (option == "-lto") link_time_ = true;
        if (const std::optional<uint32_t> limit = register_limit(option)) max_registers_ = *limit;
    }
}

LinkSession::~LinkSession() {
    if (lto_ != nullptr) forward(real_, NVJITLINK_ERROR_INTERNAL, "nvJitLinkDestroy", &lto_);
}

nvJitLinkResult LinkSession::fail(nvJitLinkResult result, const std::string& line) {
    error_log_ += line + "\n";
    return result;
}

nvJitLinkResult LinkSession::open() {
    std::vector<const char*> options;
    options.reserve(options_.size() + 1);
    for (const std::string& option : options_)
        options.push_back(option.c_str());
    if (link_time_) options.push_back("-ptx");
    const nvJitLinkResult result = forward(real_, NVJITLINK_ERROR_INTERNAL, "nvJitLinkCreate", &lto_,
                                           static_cast<uint32_t>(options.size()), options.data());
    if (result != NVJITLINK_SUCCESS && !real_.problem().empty()) return fail(result, "ERROR: " + real_.problem());
    return result;
}

nvJitLinkResult LinkSession::add_data(nvJitLinkInputType type, std::string_view bytes, const char* name) {
    const size_t before = inputs_.size();
    const nvJitLinkResult result = add(type, bytes, name);
    for (size_t index = before; index < inputs_.size(); ++index)
        if (inputs_[index].name == name) inputs_[index].given_name = name;
    return result;
}

nvJitLinkResult LinkSession::add(nvJitLinkInputType type, std::string_view bytes, const std::string& name) {
    switch (type == NVJITLINK_INPUT_ANY ? type_of(bytes) : type) {
        case NVJITLINK_INPUT_PTX:
            return add_ptx(bytes, name);
        case NVJITLINK_INPUT_LTOIR:
            return add_lto(NVJITLINK_INPUT_LTOIR, bytes, name);
        case NVJITLINK_INPUT_CUBIN:
            return add_cubin(bytes, name);
        case NVJITLINK_INPUT_FATBIN:
            return add_fat_binary(bytes, name, false);
        case NVJITLINK_INPUT_OBJECT:
        case NVJITLINK_INPUT_LIBRARY:
            return add_host_file(bytes, name);
        default:
            return fail(NVJITLINK_ERROR_INVALID_INPUT, "ERROR: the simulator cannot link inputs of type " +
                                                           std::to_string(static_cast<int>(type)) + " ('" + name +
                                                           "')");
    }
}

nvJitLinkResult LinkSession::add_ptx(std::string_view text, const std::string& name) {
    text = text.substr(0, text.find('\0'));
    if (text.find(".version") == std::string_view::npos) {
        return fail(NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, "ERROR: '" + name + "' is not PTX: it has no .version");
    }
    if (target_of(text) > architecture_) {
        fail(NVJITLINK_ERROR_PTX_COMPILE,
             "ptxas fatal   : SM version specified by .target is higher than default SM version assumed");
        return fail(NVJITLINK_ERROR_PTX_COMPILE, "ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (" + name + ")");
    }
    inputs_.push_back({name, std::string(text), {}, nullptr});
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult LinkSession::add_lto(nvJitLinkInputType type, std::string_view bytes, const std::string& name) {
    if (!link_time_) {
        return fail(NVJITLINK_ERROR_LTO_NOT_ENABLED,
                    "ERROR: LTO-IR input cannot be used without LTO enabled (-lto): '" + name + "'");
    }
    real_names_.push_back(name);
    const nvJitLinkResult result =
        forward(real_, NVJITLINK_ERROR_INTERNAL, "nvJitLinkAddData", lto_, type, static_cast<const void*>(bytes.data()),
                bytes.size(), real_names_.back().c_str());
    if (result != NVJITLINK_SUCCESS) {
        take_real_logs();
        return result;
    }
    has_lto_ = true;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult LinkSession::add_cubin(std::string_view bytes, const std::string& name) {
    if (!image::is_simulator_object(bytes.data(), bytes.size())) {
        return fail(NVJITLINK_ERROR_INVALID_INPUT,
                    "ERROR: '" + name +
                        "' is machine code that was made without the simulator, which runs none: give "
                        "PTX or LTO-IR, or compile it in a program that runs on the simulator");
    }
    const image::ReadObject read = image::read_simulator_object(bytes.data(), bytes.size());
    if (!read.object) return fail(NVJITLINK_ERROR_INVALID_INPUT, "ERROR: '" + name + "': " + read.error);
    // Machine code runs on its own architecture and on later ones of the same major version.
    const uint32_t made_for = read.object->architecture;
    if (made_for > architecture_ || made_for / 10 != architecture_ / 10) {
        return fail(NVJITLINK_ERROR_INVALID_INPUT, "ERROR 4: bad input:" + name);
    }
    return add_ptx(read.object->ptx, name);
}

// `optional`: a member of a library, which is left out where it has nothing for the simulator.
nvJitLinkResult LinkSession::add_fat_binary(std::string_view bytes, const std::string& name, bool optional) {
    const std::optional<std::vector<image::FatEntry>> entries = image::fat_binary_entries(bytes);
    if (!entries) return fail(NVJITLINK_ERROR_INVALID_INPUT, "ERROR: the fat binary '" + name + "' is damaged");
    using image::FatEntryKind;
    if (link_time_ && image::best_entry(*entries, FatEntryKind::lto_ir, architecture_) != nullptr) {
        return add_lto(NVJITLINK_INPUT_FATBIN, bytes, name);
    }
    for (const FatEntryKind kind : {FatEntryKind::machine_code, FatEntryKind::ptx}) {
        const image::FatEntry* const entry = image::best_entry(*entries, kind, architecture_);
        if (entry == nullptr) continue;
        const image::Decompressed content = entry->bytes();
        if (kind == FatEntryKind::ptx && !content.error.empty()) {
            return fail(NVJITLINK_ERROR_INVALID_INPUT, "ERROR: the fat binary '" + name + "': " + content.error);
        }
        if (kind == FatEntryKind::ptx) return add_ptx(content.bytes, name);
        if (image::is_simulator_object(content.bytes.data(), content.bytes.size())) {
            return add_cubin(content.bytes, name);
        }
    }
    if (optional) return NVJITLINK_SUCCESS;
    return fail(NVJITLINK_ERROR_INVALID_INPUT, "ERROR: the fat binary '" + name + "' holds no PTX for sm_" +
                                                   std::to_string(architecture_) +
                                                   ", and the simulator runs no machine code");
}

nvJitLinkResult LinkSession::add_host_file(std::string_view bytes, const std::string& name) {
    // The real library takes a cubin for an object too.
    if (image::is_simulator_object(bytes.data(), bytes.size())) return add_cubin(bytes, name);
    for (const image::EmbeddedFatBinary& embedded : image::embedded_fat_binaries(bytes)) {
        const std::string place = embedded.member.empty() ? name : name + "(" + embedded.member + ")";
        const nvJitLinkResult result = add_fat_binary(embedded.bytes, place, image::is_library(bytes));
        if (result != NVJITLINK_SUCCESS) return result;
    }
    return NVJITLINK_SUCCESS;
}

void LinkSession::take_real_logs() {
    const auto take = [&](const char* size_function, const char* function, std::string& log) {
        size_t size = 0;
        if (forward(real_, NVJITLINK_ERROR_INTERNAL, size_function, lto_, &size) != NVJITLINK_SUCCESS || size == 0)
            return;
        std::string text(size, '\0');
        if (forward(real_, NVJITLINK_ERROR_INTERNAL, function, lto_, text.data()) != NVJITLINK_SUCCESS) return;
        log += text.substr(0, text.find('\0'));
    };
    take("nvJitLinkGetErrorLogSize", "nvJitLinkGetErrorLog", error_log_);
    take("nvJitLinkGetInfoLogSize", "nvJitLinkGetInfoLog", information_log_);
}

// The real library sees only the LTO-IR, and drops what nothing in it uses. Where PTX uses functions of it, one more
// input takes their addresses. Gives their names, which the PTX that comes out has without linkage.
std::vector<std::string> LinkSession::keep_functions_for_ptx() {
    std::vector<ptx::LinkInput> inputs;
    inputs.reserve(inputs_.size());
    for (const Input& input : inputs_)
        inputs.push_back({input.name, input.ptx});
    std::vector<std::string> names;
    std::string source;
    for (const ptx::UndefinedReference& reference : ptx::link(inputs).undefined) {
        if (!reference.is_function || is_driver_function(reference.symbol) || !is_c_name(reference.symbol)) continue;
        source += "extern \"C\" __device__ void " + reference.symbol +
                  "(); extern \"C\" __device__ void (*cuprum_kept_" + std::to_string(names.size()) +
                  ")() = " + reference.symbol + ";\n";
        names.push_back(reference.symbol);
    }
    if (names.empty()) return names;
    const std::string lto_ir = compile_to_lto_ir(nvrtc_, real_.folder(), source, architecture_);
    // Without it the link goes on, and says which functions are missing.
    if (lto_ir.empty()) return {};
    const nvJitLinkResult result = add_lto(NVJITLINK_INPUT_LTOIR, lto_ir, "the functions that PTX calls");
    return result == NVJITLINK_SUCCESS ? names : std::vector<std::string>();
}

nvJitLinkResult LinkSession::complete_lto() {
    std::vector<std::string> kept;
    if (!inputs_.empty()) kept = keep_functions_for_ptx();
    nvJitLinkResult result = forward(real_, NVJITLINK_ERROR_INTERNAL, "nvJitLinkComplete", lto_);
    take_real_logs();
    if (result != NVJITLINK_SUCCESS) return result;
    size_t size = 0;
    result = forward(real_, NVJITLINK_ERROR_INTERNAL, "nvJitLinkGetLinkedPtxSize", lto_, &size);
    if (result != NVJITLINK_SUCCESS) return result;
    std::string ptx(size, '\0');
    result = forward(real_, NVJITLINK_ERROR_INTERNAL, "nvJitLinkGetLinkedPtx", lto_, ptx.data());
    if (result != NVJITLINK_SUCCESS) return result;
    result = add_ptx(ptx, "the LTO-IR's PTX");
    if (result == NVJITLINK_SUCCESS) inputs_.back().exports = std::move(kept);
    return result;
}

nvJitLinkResult LinkSession::complete() {
    for (Input& input : inputs_)
        if (input.given_name != nullptr) input.name = input.given_name;
    if (has_lto_) {
        const nvJitLinkResult result = complete_lto();
        if (result != NVJITLINK_SUCCESS) return result;
    }
    std::vector<ptx::LinkInput> inputs;
    inputs.reserve(inputs_.size());
    for (const Input& input : inputs_)
        inputs.push_back({input.name, input.ptx, input.exports});
    const ptx::LinkResult linked = ptx::link(inputs, max_registers_);
    for (const std::string& error : linked.errors)
        fail(NVJITLINK_ERROR_INTERNAL, "error   : " + error);
    if (!linked.errors.empty()) return NVJITLINK_ERROR_INTERNAL;
    bool undefined = false;
    for (const ptx::UndefinedReference& reference : linked.undefined) {
        if (is_driver_function(reference.symbol)) continue;
        undefined = true;
        fail(NVJITLINK_ERROR_INTERNAL,
             "error   : Undefined reference to '" + reference.symbol + "' in '" + reference.input + "'");
    }
    if (undefined) return NVJITLINK_ERROR_INTERNAL;
    const ptx::ParseResult parsed = ptx::parse(linked.text);
    for (const ptx::Diagnostic& diagnostic : parsed.diagnostics)
        fail(NVJITLINK_ERROR_PTX_COMPILE, "ERROR: " + ptx::format(diagnostic, linked.text));
    if (!parsed.diagnostics.empty()) return NVJITLINK_ERROR_PTX_COMPILE;
    object_ = image::make_simulator_object(architecture_, linked.text);
    return NVJITLINK_SUCCESS;
}

}  // namespace cuprum::simulator::companions
