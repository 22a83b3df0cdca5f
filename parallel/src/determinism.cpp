#include "determinism.hpp"

#include <string>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {

namespace {

const char* name_of(Determinism determinism) {
    return determinism == Determinism::gpu_to_gpu ? "gpu_to_gpu" : "run_to_run";
}

bool is_integer(const Type& type) {
    return type.kind() <= TypeKind::uint64 || type.is_wide_integer();
}
static_assert(TypeKind::boolean < TypeKind::int8 && TypeKind::uint64 < TypeKind::float16);

}  // namespace

bool is_commutative(const Operator& op) {
    if (!op.kind()) return false;
    switch (*op.kind()) {
        case OpKind::plus:
        case OpKind::multiplies:
        case OpKind::minimum:
        case OpKind::maximum:
        case OpKind::bit_and:
        case OpKind::bit_or:
        case OpKind::bit_xor:
        case OpKind::logical_and:
        case OpKind::logical_or:
            return true;
        default:
            return false;
    }
}

bool is_order_free(const Operator& op, const Type& type) {
    return is_integer(type) && is_commutative(op);
}

void require_determinism(const char* algorithm, const Execution& execution, const Operator& op, const Type& type,
                         Determinism kept) {
    const Determinism wanted = execution.determinism();
    if (wanted <= kept || is_order_free(op, type)) return;
    const char* const reason = execution.is_host()                   ? "depends on the number of threads"
                               : kept == Determinism::not_guaranteed ? "depends on which blocks of threads are ahead"
                                                                     : "depends on the device";
    throw Unsupported(
        std::string("building ") + algorithm, std::string("determinism ") + name_of(wanted),
        "the order in which elements of " + type.name() + " are combined " + reason,
        kept == Determinism::not_guaranteed
            ? "require nothing, or use integers and a well-known operator, for which no order matters"
            : "require run_to_run, or use integers and a well-known operator, for which no order matters");
}

void require_determinism_of_sums(const char* algorithm, const Execution& execution, const Operator& op,
                                 const Type& type) {
    require_determinism(algorithm, execution, op, type,
                        execution.is_host() ? Determinism::run_to_run : Determinism::not_guaranteed);
}

void refuse_determinism(const char* algorithm, const Execution& execution, const char* detail) {
    if (execution.determinism() == Determinism::not_guaranteed) return;
    throw Unsupported(std::string("building ") + algorithm,
                      std::string("determinism ") + name_of(execution.determinism()), detail);
}

}  // namespace cuprum::parallel
