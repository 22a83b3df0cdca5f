#include "kernel_text.hpp"

namespace cuprum::ptx_test {
namespace {

constexpr char result_names[] = "defg";
constexpr char operand_names[] = "abchij";

// The code with the form in place of each `$`.
std::string with_form(const std::string& code, const std::string& form) {
    std::string text;
    for (const char letter : code) {
        if (letter == '$')
            text += form;
        else
            text += letter;
    }
    return text;
}

std::string load(Type type, const std::string& name, unsigned offset) {
    const std::string at = "[in+" + std::to_string(offset) + "];\n";
    if (type == Type::pred) return "ld.global.b32 t0, " + at + "setp.ne.b32 " + name + ", t0, 0;\n";
    if (type == Type::b128) return "ld.global.v2.b64 {w0, w1}, " + at + "mov.b128 " + name + ", {w0, w1};\n";
    return "ld.global." + std::string(register_type(type)) + " " + name + ", " + at;
}

std::string store(Type type, const std::string& name, unsigned offset) {
    const std::string at = "[out+" + std::to_string(offset) + "], ";
    if (type == Type::pred) return "selp.b32 t0, 1, 0, " + name + ";\nst.global.b32 " + at + "t0;\n";
    if (type == Type::b128) return "mov.b128 {w0, w1}, " + name + ";\nst.global.v2.b64 " + at + "{w0, w1};\n";
    return "st.global." + std::string(register_type(type)) + " " + at + name + ";\n";
}

}  // namespace

bool runs_on(const Group& group, unsigned device) {
    return group.suffix == 'a' ? group.target == device : group.target <= device;
}

std::string kernel_text(const Group& group, const std::string& form, unsigned device) {
    const bool together = group.threads > 1;
    const size_t in_bytes = group.operands.size() * slot_bytes, out_bytes = group.results.size() * slot_bytes;
    const std::string threads = std::to_string(group.threads);
    // What families of architectures have is asked for as the device's own.
    const std::string target = group.suffix == 0 ? std::to_string(group.target) : std::to_string(device) + "a";
    std::string text = ".version " + group.version + "\n.target sm_" + target + "\n.address_size 64\n";
    text += with_form(group.functions, form);
    text += ".visible .entry cases(.param .u64 p_in, .param .u64 p_out, .param .u64 p_scratch, .param .u32 p_count)\n";
    if (group.in_cluster) text += ".explicitcluster .reqnctapercluster 1, 1, 1\n";
    text +=
        "{\n.reg .pred p, q;\n.reg .b16 s<8>;\n.reg .b32 t<8>, number, element, count, shm;\n"
        ".reg .b64 w<8>, in, out, mem;\n";
    text += ".shared .align 16 .b8 scratch[" + std::to_string(scratch_bytes * block_threads) + "];\n";
    for (size_t k = 0; k < group.results.size(); ++k)
        text += ".reg ." + std::string(register_type(group.results[k])) + " " + result_names[k] + ";\n";
    for (size_t k = 0; k < group.operands.size(); ++k)
        text += ".reg ." + std::string(register_type(group.operands[k])) + " " + operand_names[k] + ";\n";
    // number: of the case; element: of the thread among all that give results.
    text += "mov.u32 t0, %tid.x;\nmov.u32 t1, %ctaid.x;\nmov.u32 shm, scratch;\n";
    if (together) {
        text += "mov.u32 number, t1;\nmad.lo.u32 element, t1, " + threads + ", t0;\n";
    } else {
        text += "mov.u32 t2, %ntid.x;\nmad.lo.u32 number, t1, t2, t0;\nmov.u32 element, number;\n";
        text += "mad.lo.u32 shm, t0, " + std::to_string(scratch_bytes) + ", shm;\n";
    }
    text += "ld.param.u32 count, [p_count];\nsetp.ge.u32 p, number, count;\n@p bra FINISHED;\n";
    text += "ld.param.u64 in, [p_in];\nmad.wide.u32 in, number, " + std::to_string(in_bytes) + ", in;\n";
    text += "ld.param.u64 out, [p_out];\nmad.wide.u32 out, element, " + std::to_string(out_bytes) + ", out;\n";
    text += "ld.param.u64 mem, [p_scratch];\nmad.wide.u32 mem, number, " +
            std::to_string(scratch_bytes * group.threads) + ", mem;\n";
    for (size_t k = 0; k < group.operands.size(); ++k)
        text += load(group.operands[k], {operand_names[k]}, static_cast<unsigned>(k) * slot_bytes);
    text += "{\n";
    text += with_form(group.code, form);
    text += "\n}\n";
    for (size_t k = 0; k < group.results.size(); ++k)
        text += store(group.results[k], {result_names[k]}, static_cast<unsigned>(k) * slot_bytes);
    text += "FINISHED:\nret;\n}\n";
    return text;
}

}  // namespace cuprum::ptx_test
