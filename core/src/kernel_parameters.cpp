#include "kernel_parameters.hpp"

#include <optional>
#include <utility>

#include "mangled_parameters.hpp"
#include "ptx_kernels.hpp"

namespace cuprum::core {

namespace {

std::optional<std::vector<ParameterType>> declared_types(const KnownKernels& known, std::string_view symbol) {
    if (symbol.starts_with("_Z")) return parameters_of_mangled_name(symbol);
    const auto found = known.declared.find(symbol);
    if (found == known.declared.end()) return std::nullopt;
    return found->second;
}

// Whether PTX's `compiled` can be what the compiler makes of `declared`. Both are known.
bool agree(ArgumentKind declared, ArgumentKind compiled) {
    switch (compiled) {
        case ArgumentKind::integer:
            return declared == ArgumentKind::integer || declared == ArgumentKind::boolean;
        case ArgumentKind::integer_or_pointer:
            return declared == ArgumentKind::integer || declared == ArgumentKind::pointer;
        default:
            return declared == compiled;
    }
}

ParameterType merged(ParameterType declared, ParameterType compiled, uint64_t size) {
    if (declared.size != 0 && declared.size != size) declared = {};
    if (compiled.size != size) compiled = {};
    if (compiled.kind == ArgumentKind::unknown) return declared;
    if (declared.kind == ArgumentKind::unknown) {
        if (!declared.text.empty()) compiled.text = std::move(declared.text);
        return compiled;
    }
    return agree(declared.kind, compiled.kind) ? declared : compiled;
}

}  // namespace

std::vector<ParameterType> find_parameter_types(const KnownKernels& known, std::string_view symbol,
                                                std::span<const KernelArgumentInfo> arguments) {
    const auto types_of = [&](std::optional<std::vector<ParameterType>> types) {
        if (types && types->size() == arguments.size()) return std::move(*types);
        return std::vector<ParameterType>(arguments.size());
    };
    std::vector<ParameterType> types = types_of(declared_types(known, symbol));
    std::vector<ParameterType> compiled = types_of(kernel_parameters(known.in_ptx, symbol));
    for (size_t i = 0; i < arguments.size(); ++i)
        types[i] = merged(std::move(types[i]), std::move(compiled[i]), arguments[i].size);
    return types;
}

}  // namespace cuprum::core
