// Instructions on matrices that a warp holds: the forms that PTX has, and how they are decoded. Source: PTX ISA 9.0,
// 9.7.14.
#include "engine/instructions/family.hpp"
#include "engine/instructions/matrix/decode.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view matrix_forms[] = {
    // mma: the results' type, those of the operands, that of the accumulators
    "75 mma sync aligned m16n8k8 row col f16 f16 f16 f16",
    "75 mma sync aligned m16n8k8 row col f32 f16 f16 f32",
    "80 mma sync aligned m16n8k16 row col f16 f16 f16 f16",
    "80 mma sync aligned m16n8k16 row col f32 f16 f16 f32",
    "80 mma sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32",
    "80 mma sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32",
    "80 mma sync aligned m8n8k4 row col f64 f64 f64 f64",
    "90 mma sync aligned m16n8k4|m16n8k8|m16n8k16 row col f64 f64 f64 f64",
    "75 mma sync aligned m8n8k16 row col satfinite? s32 u8|s8 u8|s8 s32",
    "80 mma sync aligned m16n8k16|m16n8k32 row col satfinite? s32 u8|s8 u8|s8 s32",
    "75 mma sync aligned m8n8k32 row col satfinite? s32 u4|s4 u4|s4 s32",
    "80 mma sync aligned m16n8k32|m16n8k64 row col satfinite? s32 u4|s4 u4|s4 s32",
    "75 mma sync aligned m8n8k128 row col s32 b1 b1 s32 xor popc",
    "80 mma sync aligned m8n8k128 row col s32 b1 b1 s32 and popc",
    "80 mma sync aligned m16n8k128|m16n8k256 row col s32 b1 b1 s32 and|xor popc",
    "89 mma sync aligned m16n8k16|m16n8k32 row col f16 e4m3|e5m2 e4m3|e5m2 f16",
    "89 mma sync aligned m16n8k16|m16n8k32 row col f32 e4m3|e5m2 e4m3|e5m2 f32",
    "120f mma sync aligned m16n8k16 row col kind::f8f6f4 f16 e4m3|e5m2 e4m3|e5m2 f16",
    "120f mma sync aligned m16n8k16 row col kind::f8f6f4 f32 e4m3|e5m2 e4m3|e5m2 f32",
    "120f mma sync aligned m16n8k32 row col kind::f8f6f4 f16 $f8f6f4 $f8f6f4 f16",
    "120f mma sync aligned m16n8k32 row col kind::f8f6f4 f32 $f8f6f4 $f8f6f4 f32",
    // with block scaling, and the scales' type
    "120f mma sync aligned m16n8k32 row col kind::mxf8f6f4 block_scale scale_vec::1X? f32 $f8f6f4 $f8f6f4 f32 ue8m0",
    "120f mma sync aligned m16n8k64 row col kind::mxf4 block_scale scale_vec::2X? f32 e2m1 e2m1 f32 ue8m0",
    "120f mma sync aligned m16n8k64 row col kind::mxf4nvf4 block_scale scale_vec::2X f32 e2m1 e2m1 f32 ue8m0",
    "120f mma sync aligned m16n8k64 row col kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 e2m1 f32 ue8m0|ue4m3",
    "70 mma sync aligned row? col? m8n8k4 f16|f32 f16 f16 f16",
    "70 mma sync aligned row? col? m8n8k4 f32 f16 f16 f32",
    // mma.sp: the same with an A of which half is stored
    "80 mma sp|sp::ordered_metadata sync aligned m16n8k16|m16n8k32 row col f16 f16 f16 f16",
    "80 mma sp|sp::ordered_metadata sync aligned m16n8k16|m16n8k32 row col f32 f16 f16 f32",
    "80 mma sp|sp::ordered_metadata sync aligned m16n8k16|m16n8k32 row col f32 bf16 bf16 f32",
    "80 mma sp|sp::ordered_metadata sync aligned m16n8k8|m16n8k16 row col f32 tf32 tf32 f32",
    "80 mma sp|sp::ordered_metadata sync aligned m16n8k32|m16n8k64 row col satfinite? s32 u8|s8 u8|s8 s32",
    "80 mma sp|sp::ordered_metadata sync aligned m16n8k64|m16n8k128 row col satfinite? s32 u4|s4 u4|s4 s32",
    "89 mma sp|sp::ordered_metadata sync aligned m16n8k64 row col f32 e4m3|e5m2 e4m3|e5m2 f32",
    "120f mma sp::ordered_metadata sync aligned m16n8k64 row col f16 e4m3|e5m2 e4m3|e5m2 f16",
    "120f mma sp::ordered_metadata sync aligned m16n8k64 row col kind::f8f6f4 f16 $f8f6f4 $f8f6f4 f16",
    "120f mma sp::ordered_metadata sync aligned m16n8k64 row col kind::f8f6f4 f32 $f8f6f4 $f8f6f4 f32",
    // NOLINTBEGIN(bugprone-suspicious-missing-comma): these are too long for one line.
    "120f mma sp::ordered_metadata sync aligned m16n8k64 row col kind::mxf8f6f4 block_scale scale_vec::1X? f32 $f8f6f4 "
    "$f8f6f4 f32 ue8m0",
    "120f mma sp::ordered_metadata sync aligned m16n8k128 row col kind::mxf4 block_scale scale_vec::2X? f32 e2m1 e2m1 "
    "f32 ue8m0",
    "120f mma sp::ordered_metadata sync aligned m16n8k128 row col kind::mxf4nvf4 block_scale scale_vec::2X f32 e2m1 "
    "e2m1 f32 ue8m0",
    "120f mma sp::ordered_metadata sync aligned m16n8k128 row col kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 "
    "e2m1 f32 ue8m0|ue4m3",
    // NOLINTEND(bugprone-suspicious-missing-comma)
    // wmma: the layouts of A and B are words that may be the same
    "70 wmma load a|b|c sync aligned row|col m16n16k16|m32n8k16|m8n32k16 $matrix_space? f16",
    "70 wmma load c sync aligned row|col m16n16k16|m32n8k16|m8n32k16 $matrix_space? f32",
    "70 wmma store d sync aligned row|col m16n16k16|m32n8k16|m8n32k16 $matrix_space? f16|f32",
    "80 wmma load a|b sync aligned row|col m16n16k16|m32n8k16|m8n32k16 $matrix_space? bf16",
    "80 wmma load a|b sync aligned row|col m16n16k8 $matrix_space? tf32",
    "80 wmma load c sync aligned row|col m16n16k8 $matrix_space? f32",
    "80 wmma store d sync aligned row|col m16n16k8 $matrix_space? f32",
    "80 wmma load a|b|c sync aligned row|col m8n8k4 $matrix_space? f64",
    "80 wmma store d sync aligned row|col m8n8k4 $matrix_space? f64",
    "72 wmma load a|b sync aligned row|col m16n16k16|m32n8k16|m8n32k16 $matrix_space? u8|s8",
    "72 wmma load c sync aligned row|col m16n16k16|m32n8k16|m8n32k16 $matrix_space? s32",
    "72 wmma store d sync aligned row|col m16n16k16|m32n8k16|m8n32k16 $matrix_space? s32",
    "70 wmma mma sync aligned row m16n16k16|m32n8k16|m8n32k16 satfinite? f16|f32 f16|f32",
    "70 wmma mma sync aligned col m16n16k16|m32n8k16|m8n32k16 satfinite? f16|f32 f16|f32",
    "70 wmma mma sync aligned row col m16n16k16|m32n8k16|m8n32k16 satfinite? f16|f32 f16|f32",
    "80 wmma mma sync aligned row m16n16k16|m32n8k16|m8n32k16 f32 bf16 bf16 f32",
    "80 wmma mma sync aligned col m16n16k16|m32n8k16|m8n32k16 f32 bf16 bf16 f32",
    "80 wmma mma sync aligned row col m16n16k16|m32n8k16|m8n32k16 f32 bf16 bf16 f32",
    "80 wmma mma sync aligned row m16n16k8 f32 tf32 tf32 f32",
    "80 wmma mma sync aligned col m16n16k8 f32 tf32 tf32 f32",
    "80 wmma mma sync aligned row col m16n16k8 f32 tf32 tf32 f32",
    "80 wmma mma sync aligned row m8n8k4 rn? f64 f64 f64 f64",
    "80 wmma mma sync aligned col m8n8k4 rn? f64 f64 f64 f64",
    "80 wmma mma sync aligned row col m8n8k4 rn? f64 f64 f64 f64",
    "72 wmma mma sync aligned row m16n16k16|m32n8k16|m8n32k16 satfinite? s32 u8|s8 u8|s8 s32",
    "72 wmma mma sync aligned col m16n16k16|m32n8k16|m8n32k16 satfinite? s32 u8|s8 u8|s8 s32",
    "72 wmma mma sync aligned row col m16n16k16|m32n8k16|m8n32k16 satfinite? s32 u8|s8 u8|s8 s32",
    "75 wmma load a sync aligned row m8n8k32 $matrix_space? u4|s4",
    "75 wmma load b sync aligned col m8n8k32 $matrix_space? u4|s4",
    "75 wmma load a sync aligned row m8n8k128 $matrix_space? b1",
    "75 wmma load b sync aligned col m8n8k128 $matrix_space? b1",
    "75 wmma load c sync aligned row|col m8n8k32|m8n8k128 $matrix_space? s32",
    "75 wmma store d sync aligned row|col m8n8k32|m8n8k128 $matrix_space? s32",
    "75 wmma mma sync aligned row col m8n8k32 satfinite? s32 u4 u4 s32",
    "75 wmma mma sync aligned row col m8n8k32 satfinite? s32 s4 s4 s32",
    "75 wmma mma xor popc sync aligned row col m8n8k128 s32 b1 b1 s32",
    "80 wmma mma and popc sync aligned row col m8n8k128 s32 b1 b1 s32",
    // wgmma: the results' type, those of the operands
    "90a wgmma fence|commit_group|wait_group sync aligned",
    "90a wgmma mma_async sync aligned m64k16 f16|f32 f16 f16",
    "90a wgmma mma_async sync aligned m64k16 f32 bf16 bf16",
    "90a wgmma mma_async sync aligned m64k8 f32 tf32 tf32",
    "90a wgmma mma_async sync aligned m64k32 f16|f32 e4m3|e5m2 e4m3|e5m2",
    "90a wgmma mma_async sync aligned m64k32 satfinite? s32 s8|u8 s8|u8",
    "75 ldmatrix sync aligned m8n8 x1|x2|x4 trans? $barrier_space? b16",
    "90 stmatrix sync aligned m8n8 x1|x2|x4 trans? $barrier_space? b16",
    "75 movmatrix sync aligned m8n8 trans b16",
};

constexpr InstructionDecoding matrix_instructions[] = {
    {"mma", Opcode::mma, &decode_mma, &always<Unwritten::dropped>},
    {"wmma", Opcode::wmma, &decode_wmma, &always<Unwritten::dropped>},
    {"wgmma", Opcode::wgmma, &decode_wgmma, &always<Unwritten::dropped>},
    {"ldmatrix", Opcode::ldmatrix, &decode_matrix_move, &always<Unwritten::dropped>},
    {"stmatrix", Opcode::stmatrix, &decode_matrix_move, &always<Unwritten::dropped>},
    {"movmatrix", Opcode::movmatrix, &decode_matrix_move, &always<Unwritten::dropped>},
};

}  // namespace

template <>
FamilyDescription describe<Family::matrix>() {
    return {matrix_forms, matrix_instructions};
}

}  // namespace cuprum::simulator
