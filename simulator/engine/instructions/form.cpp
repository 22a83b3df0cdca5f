#include "engine/instructions/form.hpp"

#include <charconv>
#include <unordered_map>

namespace cuprum::simulator {
namespace {

const std::unordered_map<std::string_view, Modifier>& modifiers() {
    using enum Modifier;
    static const std::unordered_map<std::string_view, Modifier> table = {
        {"rn", rn},
        {"rz", rz},
        {"rm", rm},
        {"rp", rp},
        {"rna", rna},
        {"rs", rs},
        {"rni", rni},
        {"rzi", rzi},
        {"rmi", rmi},
        {"rpi", rpi},
        {"ftz", ftz},
        {"sat", sat},
        {"approx", approx},
        {"full", full},
        {"relu", relu},
        {"noftz", noftz},
        {"NaN", nan_},
        {"nan", unordered},
        {"xorsign", xorsign},
        {"wide", wide},
        {"lo", lo},
        {"hi", hi},
        {"cc", cc},
        {"satfinite", satfinite},
        {"oob", oob},
        {"scaled::n2::ue8m0", scaled},
        {"eq", eq},
        {"ne", ne},
        {"lt", lt},
        {"le", le},
        {"gt", gt},
        {"ge", ge},
        {"ls", ls},
        {"hs", hs},
        {"equ", equ},
        {"neu", neu},
        {"ltu", ltu},
        {"leu", leu},
        {"gtu", gtu},
        {"geu", geu},
        {"num", num},
        {"and", and_},
        {"or", or_},
        {"xor", xor_},
        {"popc", popc},
        {"add", add},
        {"min", min},
        {"max", max},
        {"inc", inc},
        {"dec", dec},
        {"exch", exch},
        {"cas", cas},
        {"l", l},
        {"r", r},
        {"clamp", clamp},
        {"wrap", wrap},
        {"shiftamt", shiftamt},
        {"f4e", f4e},
        {"b4e", b4e},
        {"rc8", rc8},
        {"ecl", ecl},
        {"ecr", ecr},
        {"rc16", rc16},
        {"finite", finite},
        {"infinite", infinite},
        {"number", number},
        {"notanumber", notanumber},
        {"normal", normal},
        {"subnormal", subnormal},
        {"sync", sync},
        {"up", up},
        {"down", down},
        {"bfly", bfly},
        {"idx", idx},
        {"any", any},
        {"all", all},
        {"uni", uni},
        {"ballot", ballot},
        {"aligned", aligned},
        {"arrive", arrive},
        {"red", red},
        {"warp", warp},
        {"cta", cta},
        {"cluster", cluster},
        {"const", constant},
        {"global", global},
        {"local", local},
        {"param", param},
        {"shared", shared},
        {"shared::cta", shared_cta},
        {"param::entry", param_entry},
        {"param::func", param_func},
        {"to", to},
        {"volatile", volatile_},
        {"weak", weak},
        {"relaxed", relaxed},
        {"acquire", acquire},
        {"release", release},
        {"acq_rel", acq_rel},
        {"sc", sc},
        {"mmio", mmio},
        {"gl", gl},
        {"sys", sys},
        {"gpu", gpu},
        {"ca", ca},
        {"cg", cg},
        {"cs", cs},
        {"lu", lu},
        {"cv", cv},
        {"wb", wb},
        {"wt", wt},
        {"nc", nc},
        {"1d", line},
        {"2d", plane},
        {"3d", volume},
        {"a1d", lines},
        {"a2d", planes},
        {"cube", cube},
        {"acube", cubes},
        {"base", base},
        {"level", level},
        {"grad", grad},
        {"g", green},
        {"p", formatted},
        {"trap", trap},
        {"zero", zero},
        {"width", width},
        {"height", height},
        {"depth", depth},
        {"array_size", array_size},
        {"num_mipmap_levels", num_mipmap_levels},
        {"num_samples", num_samples},
        {"normalized_coords", normalized_coords},
        {"v2", v2},
        {"v4", v4},
        {"v8", v8},
        {"unified", unified},
        {"init", init},
        {"inval", inval},
        {"expect_tx", expect_tx},
        {"complete_tx", complete_tx},
        {"mbarrier::complete_tx::bytes", complete_tx_bytes},
        {"arrive_drop", arrive_drop},
        {"noComplete", no_complete},
        {"noinc", noinc},
        {"test_wait", test_wait},
        {"try_wait", try_wait},
        {"parity", parity},
        {"pending_count", pending_count},
        {"mbarrier", mbarrier},
        {"mbarrier_init", mbarrier_init},
        {"bulk", bulk},
        {"bulk_group", bulk_group},
        {"read", read},
        {"prefetch", prefetch_},
        {"shared::cluster", shared_cluster},
        {"proxy", proxy},
        {"alias", alias},
        {"async::generic", async_generic},
        {"tensormap::generic", tensormap_generic},
        {"sync_restrict::shared::cta", restrict_to_block},
        {"sync_restrict::shared::cluster", restrict_to_cluster},
        {"reduce", reduce},
        {"multicast::cluster", multicast_cluster},
        {"tensor", tensor},
        {"tile", tile},
        {"im2col", im2col},
        {"im2col_no_offs", im2col_no_offsets},
        {"4d", four_dimensions},
        {"5d", five_dimensions},
        {"tensormap", tensormap},
        {"replace", replace},
        {"cp_fenceproxy", cp_fenceproxy},
        {"b1024", bits_1024},
        {"global_address", global_address},
        {"rank", rank},
        {"box_dim", box_dim},
        {"global_dim", global_dim},
        {"global_stride", global_stride},
        {"element_stride", element_stride},
        {"elemtype", elemtype},
        {"interleave_layout", interleave_layout},
        {"swizzle_mode", swizzle_mode},
        {"fill_mode", fill_mode},
        {"row", row},
        {"col", col},
        {"load", load},
        {"store", store},
        {"mma", mma},
        {"trans", trans},
        {"x1", x1},
        {"x2", x2},
        {"x4", x4},
        {"m8n8", m8n8},
        {"m8n8k4", m8n8k4},
        {"m8n8k16", m8n8k16},
        {"m8n8k32", m8n8k32},
        {"m16n8k4", m16n8k4},
        {"m16n8k8", m16n8k8},
        {"m16n8k16", m16n8k16},
        {"m16n8k32", m16n8k32},
        {"m16n8k64", m16n8k64},
        {"m8n8k128", m8n8k128},
        {"m16n8k128", m16n8k128},
        {"m16n8k256", m16n8k256},
        {"m16n16k8", m16n16k8},
        {"m16n16k16", m16n16k16},
        {"m32n8k16", m32n8k16},
        {"m8n32k16", m8n32k16},
        {"a", matrix_a},
        {"b", matrix_b},
        {"c", matrix_c},
        {"d", matrix_d},
        {"mma_async", mma_async},
        {"sp", sparse},
        {"sp::ordered_metadata", sparse_ordered},
        {"kind::f8f6f4", kind_f8f6f4},
        {"kind::mxf8f6f4", kind_mxf8f6f4},
        {"kind::mxf4", kind_mxf4},
        {"kind::mxf4nvf4", kind_mxf4nvf4},
        {"block_scale", block_scale},
        {"scale_vec::1X", scale_vec_1},
        {"scale_vec::2X", scale_vec_2},
        {"scale_vec::4X", scale_vec_4},
        {"ue8m0", scale_ue8m0},
        {"ue4m3", scale_ue4m3},
        {"fence", fence},
        {"ld_reduce", ld_reduce},
        {"st", st},
        {"acc::f32", accumulate_f32},
        {"wait", wait},
        {"launch_dependents", launch_dependents},
        {"async", async},
        {"commit_group", commit_group},
        {"wait_group", wait_group},
        {"wait_all", wait_all},
        {"L1", L1},
        {"L2", L2},
        {"abs", abs_},
        {"mask", mask},
        {"pack", pack},
        {"fractional", fractional},
        {"range", range},
        {"cvt", cvt},
        {"po", po},
        {"shr7", shr7},
        {"shr15", shr15},
    };
    return table;
}

const std::unordered_map<std::string_view, ScalarType>& types() {
    using enum ScalarType;
    static const std::unordered_map<std::string_view, ScalarType> table = {
        {"b8", b8},         {"b16", b16},         {"b32", b32},       {"b64", b64},       {"b128", b128},
        {"u8", u8},         {"u16", u16},         {"u32", u32},       {"u64", u64},       {"s8", s8},
        {"s16", s16},       {"s32", s32},         {"s64", s64},       {"f16", f16},       {"f16x2", f16x2},
        {"bf16", bf16},     {"bf16x2", bf16x2},   {"f32", f32},       {"f64", f64},       {"pred", pred},
        {"u16x2", u16x2},   {"s16x2", s16x2},     {"tf32", tf32},     {"e4m3x2", e4m3x2}, {"e4m3", e4m3},
        {"e5m2", e5m2},     {"e5m2x2", e5m2x2},   {"u4", u4},         {"s4", s4},         {"u2", u2},
        {"s2", s2},         {"b1", b1},           {"f32x2", f32x2},   {"e2m3x2", e2m3x2}, {"e3m2x2", e3m2x2},
        {"e2m1x2", e2m1x2}, {"ue8m0x2", ue8m0x2}, {"s2f6x2", s2f6x2}, {"e4m3x4", e4m3x4}, {"e5m2x4", e5m2x4},
        {"e2m3x4", e2m3x4}, {"e3m2x4", e3m2x4},   {"e2m1x4", e2m1x4}, {"e2m3", e2m3},     {"e3m2", e3m2},
        {"e2m1", e2m1},
    };
    return table;
}

// Hints to the caches, in a family of spellings: they change no result.
bool hint(std::string_view word, Modifier& modifier) {
    if (word == "L2::cache_hint") {
        modifier = Modifier::cache_hint;
        return true;
    }
    if (word == "L2::64B" || word == "L2::128B" || word == "L2::256B") {
        modifier = Modifier::prefetch_size;
        return true;
    }
    if (word.starts_with("L1::") || word.starts_with("L2::evict") || word.starts_with("level::eviction")) {
        modifier = Modifier::eviction;
        return true;
    }
    uint32_t columns = 0;
    return is_warpgroup_shape(word, columns, modifier);
}

}  // namespace

bool is_warpgroup_shape(std::string_view word, uint32_t& columns, Modifier& modifier) {
    constexpr std::string_view rows = "m64n";
    if (!word.starts_with(rows)) return false;
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data() + rows.size(), end, columns);
    if (error != std::errc{} || columns < 8 || columns > 256 || columns % 8 != 0) return false;
    for (const auto& [depth, meant] :
         {std::pair{std::string_view("k8"), Modifier::m64k8}, std::pair{std::string_view("k16"), Modifier::m64k16},
          std::pair{std::string_view("k32"), Modifier::m64k32}}) {
        if (depth != std::string_view(rest, static_cast<size_t>(end - rest))) continue;
        modifier = meant;
        return true;
    }
    return false;
}

bool find_type(std::string_view word, ScalarType& type) {
    const auto found = types().find(word);
    if (found == types().end()) return false;
    type = found->second;
    return true;
}

bool find_modifier(std::string_view word, Modifier& modifier) {
    const auto found = modifiers().find(word);
    if (found == modifiers().end()) return hint(word, modifier);
    modifier = found->second;
    return true;
}

std::string_view read_form(const ptx::Instruction& instruction, Form& form) {
    form = Form{};
    form.opcode = find_opcode(instruction.opcode);
    if (instruction.operands.size() == 4 && form.opcode == Opcode::min) form.opcode = Opcode::min3;
    if (instruction.operands.size() == 4 && form.opcode == Opcode::max) form.opcode = Opcode::max3;
    for (const std::string_view word : instruction.modifiers) {
        ScalarType type{};
        if (find_type(word, type)) {
            if (form.type_count == form.types.size()) return word;
            form.types[form.type_count++] = type;
            continue;
        }
        Modifier modifier{};
        if (!find_modifier(word, modifier)) return word;
        // A hint may be given for two caches, and two matrices have a layout each; anything else is given once.
        const bool repeats = modifier == Modifier::eviction || modifier == Modifier::row || modifier == Modifier::col;
        if (form.has(modifier) && !repeats) return word;
        form.add(modifier);
    }
    return {};
}

std::string_view first_unhonoured(const Form& form, const ptx::Instruction& instruction) {
    unsigned seen = 0;
    for (const std::string_view word : instruction.modifiers) {
        if (types().contains(word)) {
            if (seen++ >= form.types_taken) return word;
            continue;
        }
        Modifier modifier{};
        if (!find_modifier(word, modifier)) return word;
        if (form.has(modifier)) return word;
    }
    return {};
}

bool is_float(ScalarType type) {
    switch (type) {
        case ScalarType::f16:
        case ScalarType::f16x2:
        case ScalarType::bf16:
        case ScalarType::bf16x2:
        case ScalarType::f32:
        case ScalarType::f64:
            return true;
        default:
            return false;
    }
}

bool is_narrow(ScalarType type) {
    switch (type) {
        case ScalarType::e4m3x2:
        case ScalarType::e5m2x2:
        case ScalarType::e2m3x2:
        case ScalarType::e3m2x2:
        case ScalarType::e2m1x2:
        case ScalarType::ue8m0x2:
        case ScalarType::s2f6x2:
        case ScalarType::e4m3x4:
        case ScalarType::e5m2x4:
        case ScalarType::e2m3x4:
        case ScalarType::e3m2x4:
        case ScalarType::e2m1x4:
            return true;
        default:
            return false;
    }
}

bool is_packed(ScalarType type) {
    return type == ScalarType::f16x2 || type == ScalarType::bf16x2 || type == ScalarType::f32x2 || is_narrow(type);
}

bool is_signed_integer(ScalarType type) {
    return type == ScalarType::s8 || type == ScalarType::s16 || type == ScalarType::s32 || type == ScalarType::s64;
}

uint32_t register_bytes(ScalarType type) {
    switch (type) {
        case ScalarType::pred:
            return 0;
        case ScalarType::b64:
        case ScalarType::u64:
        case ScalarType::s64:
        case ScalarType::f64:
        case ScalarType::f32x2:
            return 8;
        case ScalarType::b128:
            return 16;
        default:
            return 4;
    }
}

}  // namespace cuprum::simulator
