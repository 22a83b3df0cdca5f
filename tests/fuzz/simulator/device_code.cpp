// Kernels of the instructions that have much to go wrong while they run: on matrices, images, clusters, asynchronous
// and tensor copies, warpgroups, narrow and packed floats. The bytes choose the statements, words of them, operands and
// numbers; what can be loaded is run, under each of the checks in turn. A kernel may fault; the simulator must not.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/checks/stream_races.hpp"
#include "engine/engine.hpp"
#include "engine/memory/tensor_map.hpp"

namespace {

using namespace cuprum::simulator;

// `(a|b|c)`: one of them; R, D, H, C, P: a register of 32, 64, 16, 8 bits, a predicate; #: a number; A: an address in
// one of 64 bits; S: one in shared memory; O: a small multiple of 16. Everything else stands for itself.
constexpr auto statements = std::to_array<std::string_view>({
    "mma.sync.aligned.(m16n8k8|m16n8k16).row.col.f32.(f16|bf16).(f16|bf16).f32 {R,R,R,R},{R,R,R,R},{R,R},{R,R,R,R};",
    "mma.sync.aligned.m16n8k8.row.col.f32.(f16|bf16|tf32).(f16|bf16|tf32).f32 {R,R,R,R},{R,R},{R},{R,R,R,R};",
    "mma.sync.aligned.m16n8k(8|4).row.col.f32.tf32.tf32.f32 {R,R,R,R},{R,R,R,R},{R,R},{R,R,R,R};",
    "mma.sync.aligned.m16n8k16.row.col.(f16.f16.f16.f16|f16.e4m3.e5m2.f16) {R,R},{R,R,R,R},{R,R},{R,R};",
    "mma.sync.aligned.m16n8k(16|32).row.col(|.satfinite).s32.(s8|u8).(s8|u8).s32 {R,R,R,R},{R,R,R,R},{R,R},{R,R,R,R};",
    "mma.sync.aligned.m8n8k(16|32).row.col.s32.(s8|u4|s4).(u8|s8|s4).s32 {R,R},{R},{R},{R,R};",
    "mma.sync.aligned.m16n8k32.row.col.f32.(e4m3|e5m2).(e4m3|e5m2).f32 {R,R,R,R},{R,R,R,R},{R,R},{R,R,R,R};",
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {D,D},{D},{D},{D,D};",
    "mma.sync.aligned.m8n8k4.(row|col).(row|col).f32.f16.f16.(f32|f16) "
    "{R,R,R,R,R,R,R,R},{R,R},{R,R},({R,R,R,R,R,R,R,R}|{R,R,R,R});",
    "mma.(sp|sp::ordered_metadata).sync.aligned.m16n8k(16|32).row.col.f32.(f16|bf16|tf32).(f16|bf16|tf32).f32 "
    "{R,R,R,R},({R,R}|{R,R,R,R}),({R,R}|{R,R,R,R}),{R,R,R,R},R,#;",
    "mma.(sp|sp::ordered_metadata).sync.aligned.m16n8k(32|64|128).row.col(|.satfinite).s32.(s8|u4|s4).(u8|u4|s4).s32 "
    "{R,R,R,R},({R,R}|{R,R,R,R}),({R,R}|{R,R,R,R}),{R,R,R,R},R,(0|1);",
    "mma.sync.aligned.m16n8k(16|32).row.col(|.kind::f8f6f4).(f32|f16).(e4m3|e2m3).(e5m2|e2m1).(f32|f16) "
    "({R,R,R,R}|{R,R}),({R,R,R,R}|{R,R}),({R,R}|{R}),({R,R,R,R}|{R,R});",
    "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale(|.scale_vec::1X).f32.(e4m3|e3m2|e2m1)."
    "(e5m2|e2m3|e2m1).f32.ue8m0 {R,R,R,R},{R,R,R,R},{R,R},{R,R,R,R},R,{(0|3|H),(0|1|H)},R,{(0|2|H),(0|3|H)};",
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4(nvf4|).block_scale.scale_vec::(2|4)X.f32.e2m1.e2m1.f32.(ue8m0|ue4m3) "
    "{R,R,R,R},{R,R,R,R},{R,R},{R,R,R,R},R,{(0|2|H),(0|1|H)},R,{(0|H),(0|3|H)};",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::(f8f6f4.f32.e3m2.e2m1.f32|f8f6f4.f32.e4m3.e2m3.f32) "
    "{R,R,R,R},{R,R,R,R},{R,R,R,R},{R,R,R,R},R,0;",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1."
    "f32."
    "(ue8m0|ue4m3) {R,R,R,R},{R,R,R,R},{R,R,R,R},{R,R,R,R},R,0,R,{(0|H),(0|1|H)},R,{(0|H),(0|3|H)};",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale.f32.e2m1.e4m3.f32.ue8m0 "
    "{R,R,R,R},{R,R,R,R},{R,R,R,R},{R,R,R,R},R,0,R,{(0|3|H),(0|1|H)},R,{(0|2|H),(0|3|H)};",
    "ldmatrix.sync.aligned.m8n8.x(1|2|4)(|.trans).shared.b16 {R,R,R,R},[S];",
    "ldmatrix.sync.aligned.m8n8.x2(|.trans)(|.shared|.shared::cta).b16 {R,R},(A|[S]);",
    "stmatrix.sync.aligned.m8n8.x(1|2|4)(|.trans).shared.b16 [S],{R,R,R,R};",
    "stmatrix.sync.aligned.m8n8.x1(|.trans)(|.shared).b16 (A|[S]),{R};",
    "movmatrix.sync.aligned.m8n8.trans.b16 R,R;",
    "wmma.load.a.sync.aligned.(row|col).(m16n16k16|m8n32k16|m32n8k16)(|.shared|.global).f16 "
    "{R,R,R,R,R,R,R,R},(A|[S])(|,R|,16);",
    "wmma.load.c.sync.aligned.(row|col).m16n16k16(|.shared|.global).(f32|s32) {R,R,R,R,R,R,R,R},(A|[S])(|,R|,16);",
    "wmma.store.d.sync.aligned.(row|col).m16n16k16(|.shared|.global).(f32|s32) (A|[S]),{R,R,R,R,R,R,R,R}(|,R|,16);",
    "wmma.mma.sync.aligned.(row|col).(row|col).m16n16k16.f32.f32 "
    "{R,R,R,R,R,R,R,R},{R,R,R,R,R,R,R,R},{R,R,R,R,R,R,R,R},{R,R,R,R,R,R,R,R};",
    "wmma.load.(a|b).sync.aligned.(row|col).(m8n8k32|m8n8k128)(|.shared|.global).(s4|u4|b1) {R},(A|[S])(|,R|,128);",
    "wmma.mma(.sync|.xor.popc.sync|.and.popc.sync).aligned.row.col.m8n8k(32|128).s32.(s4.s4|u4.u4|b1.b1).s32 "
    "{R,R},{R},{R},{R,R};",
    "wmma.load.(a|b).sync.aligned.(row|col).(m16n16k16|m8n32k16|m32n8k16)(|.shared|.global).(bf16|s8|u8) "
    "({R}|{R,R}|{R,R,R,R}),(A|[S])(|,R|,16);",
    "wmma.load.(a|b).sync.aligned.(row|col).m16n16k8(|.shared|.global).tf32 {R,R,R,R},(A|[S])(|,R|,8);",
    "wmma.load.(a|b).sync.aligned.(row|col).m8n8k4(|.shared|.global).f64 {D},(A|[S])(|,R|,4);",
    "wmma.load.c.sync.aligned.(row|col).m8n8k4(|.shared|.global).f64 {D,D},(A|[S])(|,R|,8);",
    "wmma.store.d.sync.aligned.(row|col).(m8n32k16|m32n8k16)(|.shared|.global).f16 (A|[S]),{R,R,R,R}(|,R|,32);",
    "wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16|m32n8k16).f32.(bf16.bf16).f32 "
    "{R,R,R,R,R,R,R,R},({R,R}|{R,R,R,R}|{R,R,R,R,R,R,R,R}),({R,R}|{R,R,R,R}|{R,R,R,R,R,R,R,R}),{R,R,R,R,R,R,R,R};",
    "wmma.mma.sync.aligned.(row|col).(row|col).m16n16k16.s32.(s8.s8|u8.u8).s32(|.satfinite) "
    "{R,R,R,R,R,R,R,R},{R,R},{R,R},{R,R,R,R,R,R,R,R};",
    "wmma.mma.sync.aligned.(row|col).(row|col).m16n16k8.f32.tf32.tf32.f32 "
    "{R,R,R,R,R,R,R,R},{R,R,R,R},{R,R,R,R},{R,R,R,R,R,R,R,R};",
    "wmma.mma.sync.aligned.(row|col).(row|col).m8n8k4(|.rn|.rz|.rm|.rp).f64.f64.f64.f64 {D,D},{D},{D},{D,D};",
    "wgmma.fence.sync.aligned;",
    "multimem.ld_reduce(|.relaxed.gpu|.weak)(|.global).(add|min|max).(u32|s32|f16x2) R,[A];",
    "multimem.st(|.release.sys)(|.global).(v2|v4).(f32|bf16x2) [A],({R,R}|{R,R,R,R});",
    "multimem.red(|.relaxed.cta)(|.global).add.(v4|v8).f16 [A],({H,H,H,H}|{H,H,H,H,H,H,H,H});",
    "wgmma.commit_group.sync.aligned;",
    "wgmma.wait_group.sync.aligned #;",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.(f16.f16|bf16.bf16) {R,R,R,R},D,D,P,(1|-1),(1|-1),(0|1),(0|1);",
    "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {R,R,R,R,R,R,R,R},{R,R,R,R},D,P,1,1,(0|1);",
    "wgmma.mma_async.sync.aligned.m64n8k32.s32.(s8|u8).(s8|u8) {R,R,R,R},D,D,P;",
    "wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e5m2 {R,R},D,D,P,1,1;",
    "tex.1d.v4.(f32|s32|u32).(f32|s32) {R,R,R,R},[D,{R}];",
    "tex.2d.v4.(f32|s32|u32).(f32|s32) {R,R,R,R},[D,{R,R}];",
    "tex.level.2d.v4.f32.f32 {R,R,R,R},[D,{R,R}],R;",
    "tex.3d.v4.(f32|u32).f32 {R,R,R,R},[D,{R,R,R,R}];",
    "tex.a2d.v4.(f32|u32).f32 {R,R,R,R},[D,{R,R,R,R}];",
    "tex.cube.v4.f32.f32 {R,R,R,R},[D,{R,R,R,R}];",
    "tex.grad.2d.v4.f32.f32 {R,R,R,R},[D,{R,R}],{R,R},{R,R};",
    "tld4.(r|g|b|a).2d.v4.(f32|u32).f32 {R,R,R,R},[D,{R,R}];",
    "txq.(width|height|depth|channel_data_type|normalized_coords).b32 R,[D];",
    "suld.b.(1d|2d|3d|a2d).(b32|v2.b32|v4.b32).(trap|clamp|zero) (R|{R,R}|{R,R,R,R}),[D,(R|{R,R}|{R,R,R,R})];",
    "suld.b.2d.b(8|16).(trap|clamp|zero) H,[D,{R,R}];",
    "sust.b.(1d|2d|3d|a2d).(b32|v2.b32|v4.b32).(trap|clamp|zero) [D,(R|{R,R}|{R,R,R,R})],(R|{R,R}|{R,R,R,R});",
    "sust.p.2d.v4.b32.(trap|clamp|zero) [D,{R,R}],{R,R,R,R};",
    "sured.b.2d.(add|min|max).(u32|s32).(trap|clamp|zero) [D,{R,R}],R;",
    "suq.(width|height|depth).b32 R,[D];",
    "mapa.shared::cluster.u32 R,R,(R|#);",
    "mapa.u64 D,D,(R|#);",
    "getctarank.u64 R,D;",
    "ld.shared::cluster.(b32|u32) R,[R];",
    "st.shared::cluster.b32 [R],R;",
    "atom.shared::cluster.add.u32 R,[R],R;",
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.(b32|u32) [R],R,[R];",
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.(add|min|max|and).u32 [R],R,[R];",
    "barrier.cluster.arrive(|.release|.relaxed)(|.aligned);",
    "barrier.cluster.wait(|.acquire)(|.aligned);",
    "barrier.sync #,128;",
    "mbarrier.init.shared.b64 [S],#;",
    "mbarrier.inval.shared.b64 [S];",
    "mbarrier.expect_tx.relaxed.cta.shared.b64 [S],#;",
    "mbarrier.arrive(|.expect_tx).shared.b64 D,[S](|,#|,R);",
    "mbarrier.try_wait.parity.shared.b64 P,[S],#;",
    "mbarrier.test_wait.shared.b64 P,[S],D;",
    "cp.async.(ca|cg).shared.global [S],A,(4|8|16)(|,R|,P);",
    "cp.async.commit_group;",
    "cp.async.wait_group #;",
    "cp.async.mbarrier.arrive(|.noinc).shared.b64 [S];",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [S],A,(16|O|R),[S];",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [S],A,(16|O|R),[S],H;",
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [(S|R)],[S],(16|O),[(S|R)];",
    "cp.async.bulk.global.shared::cta.bulk_group A,[S],(16|O|R);",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.(add|min|max|and|xor).(u32|s32|u64|f32) A,[S],(16|O);",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.(add|inc|and).u32 "
    "[R],[S],(16|O),[R];",
    "cp.async.bulk.commit_group;",
    "cp.async.bulk.wait_group(|.read) #;",
    "cp.async.bulk.tensor.1d.shared::cluster.global(|.tile).mbarrier::complete_tx::bytes [S],[D,{R}],[S];",
    "cp.async.bulk.tensor.2d.shared::cluster.global(|.tile).mbarrier::complete_tx::bytes(|.multicast::cluster) "
    "[S],[D,{R,R}],[S](|,H);",
    "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [S],[D,{R,R,R}],[S];",
    "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [S],[D,{R,R,R,R}],[S],{H,H};",
    "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [D,{R,R}],[S];",
    "cp.reduce.async.bulk.tensor.2d.global.shared::cta.(add|min|and).tile.bulk_group [D,{R,R}],[S];",
    "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [D,{R,R}];",
    "tensormap.replace.tile.global_address.(shared::cta|global).b1024.b64 (A|[S]),D;",
    "tensormap.replace.tile.(rank|elemtype|swizzle_mode|fill_mode).(shared::cta|global).b1024.b32 (A|[S]),(R|#);",
    "tensormap.replace.tile.(box_dim|global_dim|element_stride).(shared::cta|global).b1024.b32 (A|[S]),(0|1|4),R;",
    "tensormap.replace.tile.global_stride.(shared::cta|global).b1024.b64 (A|[S]),(0|1|3),D;",
    "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned A,[S],128;",
    "fma.rn.oob(|.relu|.sat).(f16|bf16) H,H,H,H;",
    "fma.rn.oob(|.relu|.sat).(f16x2|bf16x2) R,R,R,R;",
    "(add|sub|mul)(|.rn|.rz|.rm|.rp)(|.ftz).f32x2 D,D,D;",
    "fma.(rn|rz|rm|rp)(|.ftz).f32x2 D,D,D,D;",
    "(min|max)(|.ftz)(|.NaN)(|.abs).f32 R,R,R,R;",
    "cvt.rn.satfinite(|.relu).(e4m3x2|e5m2x2|e2m3x2|e3m2x2|s2f6x2).(f32 H,R,R|f16x2 H,R|bf16x2 H,R);",
    "cvt.rn.satfinite(|.relu).e2m1x2.(f32 C,R,R|f16x2 C,R|bf16x2 C,R);",
    "cvt.(rz|rp)(|.satfinite).ue8m0x2.(f32 H,R,R|bf16x2 H,R);",
    "cvt.rn(|.satfinite)(|.relu).(f16x2|bf16x2).(e4m3x2 R,H|e5m2x2 R,H|e2m3x2 R,H|e3m2x2 R,H|e2m1x2 R,C|s2f6x2 R,H);",
    "cvt.rn.bf16x2.ue8m0x2 R,H;",
    "cvt.rn(|.satfinite)(|.relu).scaled::n2::ue8m0.bf16x2.(e4m3x2|e5m2x2|e2m3x2|s2f6x2) R,H,H;",
    "cvt.rn.satfinite(|.relu).scaled::n2::ue8m0.s2f6x2.(f32 H,R,R,H|bf16x2 H,R,H);",
    "cvt.rs(|.relu)(|.satfinite).(f16x2|bf16x2).f32 R,R,R,R;",
    "cvt.rs(|.relu).satfinite.(e4m3x4|e5m2x4|e2m3x4|e3m2x4|e2m1x4).f32 (R|H),{R,R,R,R},R;",
    "cvt.u32.u8 R,C;",
    "fence.proxy.(async|tensormap::generic.acquire.gpu A,128|alias);",
    "mov.b32 R,(#|O|R);",
    "mov.b64 D,(#|D);",
    "add.u32 R,R,(O|#|R);",
    "add.u64 D,D,(O|#);",
    "setp.lt.u32 P,R,#;",
    "st.shared.b32 [S],R;",
    "st.global.b32 A,R;",
    "bar.warp.sync -1;",
    "exit;",
});

// Gives choices, and zeros when the bytes are used up.
class Choices {
public:
    Choices(const uint8_t* data, size_t size) : data_(data), size_(size) {}
    bool ended() const { return next_ >= size_; }
    uint32_t byte() { return ended() ? 0 : data_[next_++]; }
    uint32_t below(size_t count) { return byte() % static_cast<uint32_t>(count); }

private:
    const uint8_t* data_;
    size_t size_, next_ = 0;
};

// The texts between the bars of "(a|b|c)", whose '(' is at `begin`; `end` becomes the place behind ')'.
std::vector<std::string_view> alternatives(std::string_view text, size_t begin, size_t& end) {
    std::vector<std::string_view> parts;
    int depth = 0;
    size_t part = begin + 1;
    for (size_t k = begin; k < text.size(); ++k) {
        if (text[k] == '(') ++depth;
        if (depth == 1 && (text[k] == '|' || text[k] == ')')) {
            parts.push_back(text.substr(part, k - part));
            part = k + 1;
        }
        if (text[k] == ')' && --depth == 0) {
            end = k + 1;
            return parts;
        }
    }
    std::abort();
}

void expand(std::string_view text, Choices& choices, std::string& out) {
    const auto is_letter = [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
               (letter >= '0' && letter <= '9');
    };
    for (size_t k = 0; k < text.size(); ++k) {
        if (text[k] == '(') {
            size_t end = 0;
            const auto parts = alternatives(text, k, end);
            expand(parts[choices.below(parts.size())], choices, out);
            k = end - 1;
            continue;
        }
        const bool alone = (k == 0 || !is_letter(text[k - 1])) && (k + 1 == text.size() || !is_letter(text[k + 1]));
        if (!alone) {
            out += text[k];
            continue;
        }
        switch (text[k]) {
            case 'R':
                out += "%r" + std::to_string(choices.below(12));
                break;
            case 'D':
                out += "%d" + std::to_string(choices.below(10));
                break;
            case 'H':
                out += "%h" + std::to_string(choices.below(3));
                break;
            case 'C':
                out += "%c" + std::to_string(choices.below(3));
                break;
            case 'P':
                out += "%p" + std::to_string(choices.below(3));
                break;
            case '#':
                out += std::to_string(choices.below(20));
                break;
            case 'O':
                out += std::to_string(16 * choices.below(9));
                break;
            case 'S':
                out += "s+" + std::to_string(16 * choices.below(64));
                break;
            case 'A':
                out += "[%d" + std::to_string(choices.below(10)) + "+" + std::to_string(16 * choices.below(9)) + "]";
                break;
            default:
                out += text[k];
        }
    }
}

constexpr uint64_t memory_begin = 0x700000000000, memory_bytes = 8192;

// What kernels reach: a buffer with a tensor map at its beginning, and some images.
struct Surroundings {
    std::vector<uint64_t> storage = std::vector<uint64_t>(memory_bytes / 8 + 32);
    std::vector<std::byte> pixels = std::vector<std::byte>(65536);
    SharedSnapshot memory;
    SharedImages images;

    std::byte* host() {
        const auto address = reinterpret_cast<uintptr_t>(storage.data());
        return reinterpret_cast<std::byte*>((address + 127) / 128 * 128);
    }

    Surroundings() {
        auto snapshot = std::make_shared<MemorySnapshot>();
        snapshot->ranges.push_back(
            {.begin = memory_begin,
             .size = memory_bytes,
             .host_offset = static_cast<int64_t>(reinterpret_cast<uintptr_t>(host()) - memory_begin),
             .writable = true,
             .written = std::make_shared<uint8_t[]>(memory_bytes),
             .description = "the buffer"});
        memory = snapshot;
        auto objects = std::make_shared<ImageSnapshot>();
        uint64_t handle = 1;
        const auto add = [&](ImageChannel channel, uint32_t channels, uint32_t dimensions, uint32_t slices,
                             bool layered, bool cube, uint32_t levels) {
            Texture texture;
            texture.image.format = {channel, channels};
            texture.image.dimensions = dimensions;
            texture.image.layered = layered;
            texture.image.cube = cube;
            for (uint32_t level = 0; level < levels; ++level) {
                ImageLevel part;
                part.bytes = pixels.data();
                part.width = 16u >> level;
                part.height = dimensions > 1 ? 16u >> level : 1;
                part.slices = slices;
                part.row_bytes = uint64_t{part.width} * texture.image.format.element_bytes();
                part.slice_bytes = part.row_bytes * part.height;
                texture.image.levels.push_back(part);
            }
            texture.linear = handle % 2 == 0;
            texture.as_float = texture.linear || channel == ImageChannel::f32 || channel == ImageChannel::f16;
            texture.normalised = handle % 3 == 0;
            texture.mipmapped = levels > 1;
            texture.linear_mipmaps = levels > 1;
            texture.most_level = static_cast<float>(levels);
            texture.address.fill(texture.normalised ? AddressMode::mirror : AddressMode::border);
            objects->surfaces[handle] = std::make_shared<Image>(texture.image);
            objects->textures[handle++] = std::make_shared<Texture>(texture);
        };
        add(ImageChannel::f32, 4, 2, 1, false, false, 1);
        add(ImageChannel::u8, 4, 2, 1, false, false, 1);
        add(ImageChannel::f16, 1, 2, 1, false, false, 3);
        add(ImageChannel::s32, 2, 3, 4, false, false, 1);
        add(ImageChannel::u16, 1, 2, 5, true, false, 1);
        add(ImageChannel::f32, 1, 2, 6, false, true, 1);
        add(ImageChannel::s8, 1, 1, 1, false, false, 1);
        images = objects;
    }
};

TensorMap tensor_map(Choices& choices) {
    TensorMap map;
    map.mode = choices.below(4) == 0 ? TensorMapMode::im2col : TensorMapMode::tiled;
    map.rank = static_cast<uint8_t>(map.mode == TensorMapMode::im2col ? 4 : 1 + choices.below(3));
    map.element = static_cast<TensorElement>(choices.below(static_cast<size_t>(TensorElement::count)));
    map.swizzle = static_cast<TensorSwizzle>(choices.below(4));
    map.fill = static_cast<TensorFill>(choices.below(2));
    map.address = memory_begin + 1024;
    for (size_t k = 0; k < TensorMap::max_rank; ++k) {
        map.size[k] = 1 + choices.below(24);
        map.box[k] = static_cast<uint16_t>(1 + choices.below(16));
        map.element_stride[k] = static_cast<uint8_t>(1 + choices.below(3));
    }
    for (size_t k = 0; k < map.stride.size(); ++k)
        map.stride[k] = 16 * (1 + choices.below(16));
    map.channels = static_cast<uint16_t>(1 + choices.below(16));
    map.pixels = static_cast<uint16_t>(1 + choices.below(16));
    return map;
}

std::string kernel_of(const std::vector<std::string>& chosen, const char* target) {
    std::string text =
        std::string(".version 9.2\n.target ") + target +
        "\n.address_size 64\n.visible .entry k(.param .u64 memory)\n{\n"
        ".reg .pred %p<4>; .reg .b8 %c<3>; .reg .b16 %h<4>; .reg .b32 %r<14>; .reg .b64 %d<12>; .shared .align 1024 "
        ".b8 s[4096];\n"
        "ld.param.u64 %d0, [memory]; add.u64 %d1, %d0, 1024; mov.b64 %d2, 1; mov.b64 %d3, 2; mov.b64 %d4, 3;\n"
        "mov.b64 %d5, 5; mov.u32 %r0, %tid.x; mov.b32 %r1, s; shl.b32 %r2, %r0, 4; add.u32 %r2, %r1, %r2;\n"
        "mov.b32 %r3, 0; mov.b32 %r4, 8; mov.b32 %r5, -1; mov.b32 %r6, 0f3F000000; mov.b32 %r7, 16; mov.b32 %r8, 1;\n"
        "mov.b32 %r9, 0f40A00000; mov.b32 %r10, 2147483647; mov.u32 %r11, %ctaid.x; cvt.u64.u32 %d6, %r1;\n"
        "cvta.shared.u64 %d7, %d6; mov.b64 %d8, 0x4000004000010000; mov.b64 %d9, 0x0000004000010010;\n"
        "mov.b16 %h0, 3; mov.b16 %h1, 1; mov.b16 %h2, -1; setp.lt.u32 %p0, %r0, 20; setp.eq.u32 %p1, %r0, 0;\n"
        "setp.ge.u32 %p2, %r0, 0; mbarrier.init.shared.b64 [s], 1; mbarrier.init.shared.b64 [s+16], 128;\n";
    for (const std::string& statement : chosen)
        text += statement + "\n";
    return text + "ret;\n}\n";
}

// Those whose text begins as CUPRUM_FUZZ_FAMILY says; all, if it says nothing.
const std::vector<std::string_view>& family() {
    static const std::vector<std::string_view> chosen = [] {
        std::vector<std::string_view> some(statements.begin(), statements.end());
        if (const char* const prefix = std::getenv("CUPRUM_FUZZ_FAMILY"))
            std::erase_if(some, [&](std::string_view statement) { return !statement.starts_with(prefix); });
        if (some.empty()) {
            std::fprintf(stderr, "no statement begins as CUPRUM_FUZZ_FAMILY says\n");
            std::exit(2);
        }
        return some;
    }();
    return chosen;
}

std::vector<std::string> choose_statements(Choices& choices) {
    std::vector<std::string> chosen;
    for (int count = 0; count < 24 && !choices.ended(); ++count) {
        const uint32_t guard = choices.below(8);
        std::string& statement = chosen.emplace_back(guard < 3 ? "@%p" + std::to_string(guard) + " " : "");
        // Others set up what a family works on.
        const bool from_family = guard % 4 != 0;
        const uint32_t number = choices.byte();
        expand(from_family ? family()[number % family().size()] : statements[number % statements.size()], choices,
               statement);
    }
    return chosen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Surroundings surroundings;
    Choices choices(data, size);
    DeviceModel model;
    // Each has forms that the others lack.
    constexpr std::array targets = {std::pair{"sm_90a", 9u}, std::pair{"sm_100a", 10u}, std::pair{"sm_120a", 12u}};
    const uint32_t chosen_target = choices.below(targets.size());
    const char* const target = targets[chosen_target].first;
    model.compute_capability_major = targets[chosen_target].second;
    model.max_dynamic_shared_bytes = 227 * 1024;
    model.worker_threads = 1;
    model.kernel_timeout = std::chrono::milliseconds(300);
    const uint32_t kind = choices.below(5);
    model.checks.memory = kind == 1;
    model.checks.races = kind == 2;
    model.checks.registers = kind == 3;
    model.checks.profile = false;
    const bool clusters = choices.below(2) != 0;
    const TensorMap map = tensor_map(choices);
    std::memcpy(surroundings.host(), &map, sizeof map);
    std::vector<std::string> chosen = choose_statements(choices);
    Program::Loaded loaded = Program::load(kernel_of(chosen, target), model);
    if (loaded.error) {
        if (loaded.error->log.empty()) std::abort();
        // What cannot be loaded by itself is left out.
        std::erase_if(chosen, [&](const std::string& statement) {
            return Program::load(kernel_of({statement}, target), model).error.has_value();
        });
        loaded = Program::load(kernel_of(chosen, target), model);
        if (loaded.error) std::abort();
    }
    static std::array<std::unique_ptr<Engine>, 5 * targets.size()> engines;
    std::unique_ptr<Engine>& engine = engines[targets.size() * kind + chosen_target];
    if (!engine) engine = std::make_unique<Engine>(model);
    LaunchRequest request;
    request.program = loaded.program;
    request.grid = {2, 1, 1};
    request.block = {128, 1, 1};
    request.cluster = {clusters ? 2u : 1u, 1, 1};
    request.explicit_cluster = clusters;
    request.parameters.resize(8);
    std::memcpy(request.parameters.data(), &memory_begin, 8);
    request.memory = surroundings.memory;
    request.images = surroundings.images;
    if (model.checks.races) {
        // Behind all launches so far, or behind none.
        static StreamRaces streams;
        request.operation = std::make_shared<StreamOperation>(streams, choices.below(2) != 0 ? streams.host() : nullptr,
                                                              StreamOperation::Place{"stream 1"});
    }
    const std::optional<Fault> fault = engine->launch(request);
    if (fault && fault->message.empty()) std::abort();
    if (request.operation) {
        request.operation->finish();
        request.operation->races().host_learns(request.operation->after());
    }
    if (std::getenv("CUPRUM_FUZZ_SHOW") != nullptr)
        std::fprintf(stderr, "%s%s\n", kernel_of(chosen, target).c_str(), fault ? fault->message.c_str() : "ended");
    return 0;
}
