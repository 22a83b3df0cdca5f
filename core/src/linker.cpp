#include "cuprum/core/linker.hpp"

#include <exception>
#include <mutex>
#include <utility>

#include "compiler_stack.hpp"
#include "cuprum/bindings/nvjitlink.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/error.hpp"
#include "cuprum/core/live_objects.hpp"
#include "kernel_parameters.hpp"
#include "link_input.hpp"
#include "linker_options.hpp"
#include "nvjitlink_session.hpp"
#include "object_code_state.hpp"
#include "ptx_kernels.hpp"

namespace cuprum::core {

namespace {

constexpr const char* linking = "linking";

std::string machine_of_device_0() {
    const ComputeCapability capability = Device(0).compute_capability();
    return "sm_" + std::to_string(capability.major * 10 + capability.minor);
}

}  // namespace

struct Linker::State {
    detail::Alive<ObjectKind::linker> alive;

    explicit State(LinkerOptions options_) : options(std::move(options_)), texts(link_options(options, describe())) {}

    std::string describe() const { return "linker '" + options.name + "'"; }
    static std::string describe_input(size_t index, const ObjectCode::State& input) {
        return "input " + std::to_string(index + 1) + ", " + input.describe() + ",";
    }

    void add(const ObjectCode& code, std::shared_ptr<ObjectCode::State> input);
    void require_inputs(const char* operation) const;
    std::unique_ptr<NvJitLinkSession> open(bool to_ptx);
    std::string link(bool to_ptx);
    std::string link_here(bool to_ptx);
    SymbolMapping symbol_mapping() const;
    CodeOrigin origin() const;
    void take_logs(const NvJitLinkSession& session);

    const LinkerOptions options;
    const LinkOptions texts;

    std::mutex mutex;  // for all below
    std::vector<std::shared_ptr<ObjectCode::State>> inputs;
    // What handle() gives. A link has a session of its own, which ends in the thread that began it.
    std::unique_ptr<NvJitLinkSession> shown;
    std::string error_log, info_log;
};

void Linker::State::add(const ObjectCode& code, std::shared_ptr<ObjectCode::State> input) {
    const std::lock_guard lock(mutex);
    if (!code.is_valid()) {
        throw InvalidState("adding an input to a linker",
                           "input " + std::to_string(inputs.size() + 1) + " of " + describe(),
                           "the object code is moved-from or default-constructed",
                           "compile a program, or make object code from PTX, LTO-IR, a cubin, an object or a library");
    }
    check_link_input(input->type, input->code, describe_input(inputs.size(), *input) + " of " + describe());
    inputs.push_back(std::move(input));
    shown.reset();
}

void Linker::State::require_inputs(const char* operation) const {
    if (!inputs.empty()) return;
    throw InvalidArgument(operation, describe(), "there is no object code to link",
                          "give it PTX, LTO-IR, cubins, objects or libraries");
}

SymbolMapping Linker::State::symbol_mapping() const {
    SymbolMapping mapping;
    for (const auto& input : inputs)
        mapping.insert(input->symbol_mapping.begin(), input->symbol_mapping.end());
    return mapping;
}

// Of all inputs together: what is known of their kernels is known of the linked ones.
CodeOrigin Linker::State::origin() const {
    CodeOrigin origin;
    std::string source;
    for (const auto& input : inputs) {
        if (input->origin.source != nullptr) source += input->origin.source->text() + '\n';
        origin.ptx_kernels += input->type == CodeType::ptx ? kernels_in_ptx(input->code) : input->origin.ptx_kernels;
        if (!origin.ptx_kernels.empty() && origin.ptx_kernels.back() != '\n') origin.ptx_kernels += '\n';
    }
    if (!source.empty()) origin.source = std::make_shared<CodeSource>(std::move(source));
    return origin;
}

// A session with all inputs. What nvJitLink says stays in the logs, also when it fails.
std::unique_ptr<NvJitLinkSession> Linker::State::open(bool to_ptx) {
    require_inputs(linking);
    bool has_lto_ir = false;
    for (size_t index = 0; index < inputs.size(); ++index) {
        const CodeType type = inputs[index]->type;
        has_lto_ir = has_lto_ir || type == CodeType::ltoir;
        if (to_ptx && (type == CodeType::ptx || type == CodeType::cubin)) {
            throw InvalidArgument(
                linking, describe(),
                "only LTO-IR can be linked to PTX, and " + describe_input(index, *inputs[index]) + " is none",
                "link to a cubin, or compile the input to LTO-IR");
        }
    }
    error_log.clear();
    info_log.clear();
    const std::string arch = texts.arch.empty() ? machine_of_device_0() : texts.arch;
    auto session = std::make_unique<NvJitLinkSession>(
        nvjitlink_options(texts, arch, to_ptx, texts.link_time_optimization || has_lto_ir || to_ptx, symbol_mapping()),
        describe());
    for (size_t index = 0; index < inputs.size(); ++index) {
        const ObjectCode::State& input = *inputs[index];
        try {
            session->add(input.type, input.code, input.name.empty() ? "input " + std::to_string(index + 1) : input.name,
                         describe_input(index, input));
        } catch (...) {
            take_logs(*session);
            throw;
        }
    }
    return session;
}

void Linker::State::take_logs(const NvJitLinkSession& session) {
    error_log = session.error_log();
    info_log = session.info_log();
}

std::string Linker::State::link_here(bool to_ptx) {
    const std::unique_ptr<NvJitLinkSession> session = open(to_ptx);
    try {
        std::string code = session->complete(to_ptx);
        take_logs(*session);
        return code;
    } catch (...) {
        take_logs(*session);
        throw;
    }
}

// All of it in one thread: nvJitLink 13.0 ends the process where a handle is completed in another than it was made in.
std::string Linker::State::link(bool to_ptx) {
    std::string code;
    std::exception_ptr failure;
    with_compiler_stack(bindings::nvjitlink::library(), "nvJitLinkComplete", [&] {
        try {
            code = link_here(to_ptx);
        } catch (...) {
            failure = std::current_exception();
        }
    });
    if (failure != nullptr) std::rethrow_exception(failure);
    return code;
}

Linker::Linker(std::initializer_list<ObjectCode> object_codes, LinkerOptions options)
    : Linker(std::span(object_codes.begin(), object_codes.size()), std::move(options)) {}

Linker::Linker(std::span<const ObjectCode> object_codes, LinkerOptions options) : Linker(std::move(options)) {
    for (const ObjectCode& code : object_codes)
        add(code);
    state_->require_inputs("making a linker");
}

Linker::Linker(LinkerOptions options) : state_(std::make_unique<State>(std::move(options))) {}

Linker::Linker(Linker&&) noexcept = default;
Linker& Linker::operator=(Linker&&) noexcept = default;
Linker::~Linker() = default;

Linker::State& Linker::state(const char* operation) const {
    if (state_ == nullptr) {
        throw InvalidState(operation, "linker", "the linker is moved-from", "make a new one from the object code");
    }
    return *state_;
}

const LinkerOptions& Linker::options() const {
    return state("asking for the options of a linker").options;
}

void Linker::add(const ObjectCode& object_code) {
    state("adding an input to a linker").add(object_code, object_code.state_);
}

ObjectCode Linker::link(CodeType target) const {
    State& own = state(linking);
    if (target != CodeType::native && target != CodeType::cubin && target != CodeType::ptx) {
        throw InvalidArgument(linking, own.describe(), "object code is linked to a cubin or PTX",
                              "link to a cubin, which a device loads");
    }
    const bool to_ptx = target == CodeType::ptx;
    const std::lock_guard lock(own.mutex);
    std::string code = own.link(to_ptx);
    return ObjectCode::make(to_ptx ? CodeType::ptx : CodeType::cubin, std::move(code), own.options.name,
                            own.symbol_mapping(), own.origin());
}

std::string Linker::error_log() const {
    State& own = state("asking for the error log of a linker");
    const std::lock_guard lock(own.mutex);
    return own.error_log;
}

std::string Linker::info_log() const {
    State& own = state("asking for the info log of a linker");
    const std::lock_guard lock(own.mutex);
    return own.info_log;
}

void* Linker::handle() const {
    State& own = state("asking for the handle of a linker");
    const std::lock_guard lock(own.mutex);
    if (own.shown == nullptr) own.shown = own.open(own.texts.ptx);
    return own.shown->handle();
}

}  // namespace cuprum::core
