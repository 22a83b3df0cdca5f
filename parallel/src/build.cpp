#include "build.hpp"

#include <algorithm>
#include <charconv>
#include <future>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#include "cccl.hpp"
#include "cccl_stand_ins.hpp"
#include "cuprum/core/error.hpp"
#include "cuprum/core/linker.hpp"
#include "cuprum/core/program.hpp"
#include "link_log.hpp"
#include "source.hpp"
#include "unneeded_headers.hpp"

namespace cuprum::parallel {

namespace {

using SharedBuild = std::shared_future<std::shared_ptr<const Build>>;

struct Builds {
    std::mutex mutex;
    // Made ahead of time: they need no CCCL.
    std::map<std::string, std::shared_ptr<const Build>> loaded;
    // By the version of the CCCL too: a process may be sent to another one.
    std::map<std::pair<std::string, int>, SharedBuild> compiled;
};

// Lives for ever: algorithms may be used while the process exits.
Builds& builds() {
    static Builds* const instance = new Builds;
    return *instance;
}

std::string full_key(const Architecture& architecture, const std::string& key) {
    return architecture.name + ' ' + std::to_string(static_cast<int>(architecture.type)) + '\n' + key;
}

std::string constants_expression(const BuildRequest& request) {
    std::string expression = "cuprum_constants<";
    for (const BuildRequest::Constant& constant : request.constants)
        expression += "static_cast<long long>(" + constant.expression + "), ";
    return expression + "0>";
}

// The numbers in the mangled name of an instance of cuprum_constants: "...IJLx256ELxn1EEEvv" (Itanium C++ ABI,
// <template-args>), less the 0 at the end.
std::vector<int64_t> parse_constants(std::string_view mangled, const BuildRequest& request) {
    std::vector<int64_t> numbers;
    size_t at = mangled.find("IJ");
    constexpr std::string_view begin = "Lx";
    while (at != std::string_view::npos && (at = mangled.find(begin, at)) != std::string_view::npos) {
        at += begin.size();
        const bool negative = mangled.substr(at).starts_with('n');
        int64_t number = 0;
        const char* const digits = mangled.data() + at + (negative ? 1 : 0);
        std::from_chars(digits, mangled.data() + mangled.size(), number);
        numbers.push_back(negative ? -number : number);
    }
    if (numbers.size() != request.constants.size() + 1) {
        ErrorInfo info;
        info.operation = "reading the constants of a build";
        info.object = request.algorithm;
        info.detail = "NVRTC calls them " + std::string(mangled);
        throw_error(std::move(info));
    }
    numbers.pop_back();
    return numbers;
}

// How much of CCCL a compile reads.
enum class Reads : uint8_t { what_cub_needs, everything };

core::ProgramOptions compile_options(const Architecture& architecture, const BuildRequest& request, const Cccl& cccl,
                                     Reads reads) {
    core::ProgramOptions options;
    options.name = "cuprum_" + request.algorithm + ".cu";
    options.arch = architecture.name;
    options.device_as_default_execution_space = true;
    options.disable_warnings = true;  // CUB's own
    // In a type's name, or in an operator's text.
    if (request.source.find("__int128") != std::string::npos) options.device_int128 = true;
    if (!cccl.folder.empty()) options.include_path.push_back(cccl.folder);
    options.headers = cccl_stand_ins(cccl.version);
    if (reads == Reads::what_cub_needs) {
        for (auto& header : unneeded_headers(cccl.version))
            options.headers.push_back(std::move(header));
        options.shared_directives = common_includes();
    }
    options.drop_unused_variables = true;
    return options;
}

// The messages of a log about a text of the caller's, which the program calls by its role and not generated.
std::string callers_messages(const std::string& log) {
    std::string result;
    size_t begin = 0;
    while (begin < log.size()) {
        // A message, its source line and its marker end with an empty line.
        size_t end = log.find("\n\n", begin);
        end = end == std::string::npos ? log.size() : end + 2;
        const std::string_view message(log.data() + begin, end - begin);
        for (const std::string_view role : {"operator(", "transform(", "compare("}) {
            if (message
                    .substr(message.find_first_not_of('\n') == std::string_view::npos ? 0
                                                                                      : message.find_first_not_of('\n'))
                    .starts_with(role)) {
                result += message;
                break;
            }
        }
        begin = end;
    }
    return result;
}

// Whether an operator of the caller's may use what CUB does not: names of CCCL's are in namespaces.
bool may_lack_header(const std::string& log) {
    const std::string messages = callers_messages(log);
    return messages.empty() || messages.find("::") != std::string::npos;
}

[[noreturn]] void rethrow_as_callers(const CompileError& error, const BuildRequest& request, const Cccl& cccl) {
    std::string log = callers_messages(error.log());
    ErrorInfo info = error.info();
    info.operation = "building " + request.algorithm;
    if (log.empty()) {
        if (cccl.is_newer_than_known()) {
            info.object = describe(cccl);
            info.detail = "this version is newer than those that Cuprum knows (" + std::string(known_cccl) +
                          "), and the program does not compile with it";
            info.advice = install_known_cccl();
        } else {
            info.advice = "the program around the operator does not compile: its types may not go together";
        }
        throw CompileError(std::move(info), {error.log(), error.options(), error.headers()});
    }
    info.object = "the operator's text";
    throw CompileError(std::move(info), {std::move(log), error.options(), error.headers()});
}

[[noreturn]] void rethrow_as_callers(const NvJitLinkError& error, const BuildRequest& request) {
    ErrorInfo info = error.info();
    info.operation = "building " + request.algorithm;
    info.object.clear();
    for (const CompiledFunction& function : request.linked) {
        if (is_missing(function.name, error.log())) {
            info.object = "operator '" + function.name + "'";
            info.advice =
                "its code has no function of that name that can be linked: declare it extern \"C\", and compile "
                "it as relocatable device code";
            break;
        }
        info.object += (info.object.empty() ? "operator '" : ", '") + function.name + "'";
    }
    throw NvJitLinkError(std::move(info), error.log());
}

// The program and the functions that it calls. LTO-IR is optimised with a program that is LTO-IR too.
core::ObjectCode compile_and_link(const Architecture& architecture, const BuildRequest& request,
                                  core::ProgramOptions options, const std::vector<std::string>& names) {
    std::vector<core::ObjectCode> codes;
    for (const CompiledFunction& function : request.linked) {
        for (const core::ObjectCode& code : function.codes) {
            const auto is_same = [&](const core::ObjectCode& other) {
                return other.code_type() == code.code_type() && other.code() == code.code();
            };
            if (std::none_of(codes.begin(), codes.end(), is_same)) codes.push_back(code);
        }
    }
    const bool optimises = std::any_of(codes.begin(), codes.end(), [](const core::ObjectCode& code) {
        return code.code_type() == core::CodeType::ltoir;
    });
    options.relocatable_device_code = true;
    if (optimises) options.link_time_optimization = true;
    codes.insert(codes.begin(), core::Program(request.source, core::SourceType::cxx, std::move(options))
                                    .compile(optimises ? core::CodeType::ltoir : core::CodeType::ptx, names));
    try {
        core::LinkerOptions link{.name = "cuprum_" + request.algorithm, .arch = architecture.name};
        if (optimises) link.optimize_unused_variables = true;
        return core::Linker(codes, std::move(link)).link();
    } catch (const NvJitLinkError& error) {
        rethrow_as_callers(error, request);
    }
}

std::shared_ptr<const Build> make_build(const Architecture& architecture, const BuildRequest& request, const Cccl& cccl,
                                        Reads reads) {
    const std::vector<std::string> constants{constants_expression(request)};
    try {
        Build build;
        const core::ProgramOptions options = compile_options(architecture, request, cccl, reads);
        if (request.linked.empty()) {
            build.codes = core::Program(request.source, core::SourceType::cxx, options)
                              .compile_apart(architecture.type, request.kernels, constants);
        } else {
            std::vector<std::string> names = request.kernels;
            names.push_back(constants.front());
            build.codes.push_back(compile_and_link(architecture, request, options, names));
        }
        build.constants = parse_constants(build.codes.front().symbol_mapping().at(constants.front()), request);
        return std::make_shared<const Build>(std::move(build));
    } catch (const CompileError& error) {
        if (reads == Reads::everything || !may_lack_header(error.log())) rethrow_as_callers(error, request, cccl);
    }
    return make_build(architecture, request, cccl, Reads::everything);
}

// The request's names are for all of them, in one that was loaded too.
void require_whole(const Build& loaded, const BuildRequest& request) {
    const auto require = [&](size_t there, size_t expected, const char* what) {
        if (there == expected) return;
        throw InvalidArgument("building " + request.algorithm, "loaded build",
                              "it has " + std::to_string(there) + ' ' + what + ", expected " + std::to_string(expected),
                              "save it anew");
    };
    require(loaded.constants.size(), request.constants.size(), "constants");
    if (loaded.codes.size() != 1) require(loaded.codes.size(), request.kernels.size(), "pieces of code");
}

}  // namespace

Architecture architecture_of(const core::Device& device) {
    return {"sm_" + device.arch(), device.is_simulator() ? core::CodeType::ptx : core::CodeType::cubin};
}

std::string build_key(const BuildRequest& request) {
    std::string key = request.algorithm + '\n' + request.source;
    for (const std::string& kernel : request.kernels)
        key += kernel + '\n';
    key += constants_expression(request);
    for (const CompiledFunction& function : request.linked) {
        for (const core::ObjectCode& code : function.codes) {
            key += '\n' + std::to_string(static_cast<int>(code.code_type())) + ' ' +
                   std::to_string(code.code().size()) + ' ' + code.code();
        }
    }
    return key;
}

int64_t CompiledProgram::constant(std::string_view name) const {
    for (size_t index = 0; index < request_.constants.size(); ++index) {
        if (request_.constants[index].name == name) return build_.constants[index];
    }
    ErrorInfo info;
    info.operation = "reading the constants of a build";
    info.object = request_.algorithm;
    info.detail = "it was not built with a constant '" + std::string(name) + "'";
    throw_error(std::move(info));
}

bool CompiledProgram::has_constant(std::string_view name) const {
    return std::ranges::any_of(request_.constants,
                               [&](const BuildRequest::Constant& constant) { return constant.name == name; });
}

int64_t CompiledProgram::positive(std::string_view name, int64_t most) const {
    const int64_t value = constant(name);
    if (value < 1 || value > most) {
        throw InvalidArgument("reading the constants of a build", "constant '" + std::string(name) + "'",
                              "it is " + std::to_string(value) + ", expected 1 to " + std::to_string(most),
                              "if the build was loaded, save it anew");
    }
    return value;
}

std::shared_ptr<const Build> get_build(const Architecture& architecture, const BuildRequest& request) {
    const std::string loaded_key = full_key(architecture, build_key(request));
    {
        const std::lock_guard lock(builds().mutex);
        const auto& loaded = builds().loaded;
        if (const auto known = loaded.find(loaded_key); known != loaded.end()) {
            require_whole(*known->second, request);
            return known->second;
        }
    }
    const Cccl cccl = find_cccl(request.algorithm);
    const std::pair key(loaded_key, cccl.version);
    std::promise<std::shared_ptr<const Build>> promise;
    SharedBuild shared;
    bool is_ours = false;
    {
        const std::lock_guard lock(builds().mutex);
        const auto [known, is_new] = builds().compiled.try_emplace(key);
        if (is_new) known->second = promise.get_future().share();
        is_ours = is_new;
        shared = known->second;
    }
    if (!is_ours) return shared.get();
    try {
        promise.set_value(make_build(architecture, request, cccl, Reads::what_cub_needs));
    } catch (...) {
        // Those who wait get the error; who asks later tries again.
        promise.set_exception(std::current_exception());
        const std::lock_guard lock(builds().mutex);
        builds().compiled.erase(key);
    }
    return shared.get();
}

void add_build(const Architecture& architecture, const SavedBuild& saved) {
    const std::string name = "saved build";
    Build build;
    build.constants = saved.constants;
    for (const std::string& code : saved.codes) {
        build.codes.push_back(saved.architecture.type == core::CodeType::ptx
                                  ? core::ObjectCode::from_ptx(code, name, saved.names)
                                  : core::ObjectCode::from_cubin(code, name, saved.names));
    }
    const std::lock_guard lock(builds().mutex);
    builds().loaded.try_emplace(full_key(architecture, saved.key), std::make_shared<const Build>(std::move(build)));
}

}  // namespace cuprum::parallel
