#include "ptx/device_runtime.hpp"

namespace cuprum::simulator::ptx {

// The barrier of a cooperative launch is a word in device memory whose address the driver leaves in %envreg1 (high) and
// %envreg2 (low), 4 bytes before it. Its top bit flips once every block has arrived: each adds 1, and the first block
// adds what is missing to 2^31.
const std::string_view device_runtime = R"ptx(.version 6.0
.target sm_70
.address_size 64
.visible .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
    .reg .pred %is_grid;
    .reg .b32 %scope, %high, %low;
    .reg .b64 %handle;
    ld.param.u32 %scope, [scope];
    mov.u32 %high, %envreg1;
    mov.u32 %low, %envreg2;
    mov.b64 %handle, {%low, %high};
    setp.eq.u32 %is_grid, %scope, 1;
    selp.b64 %handle, %handle, 0, %is_grid;
    st.param.b64 [handle], %handle;
    ret;
}
.visible .func (.param .b32 status) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
    .reg .pred %other, %waiting;
    .reg .b32 %rank, %part, %blocks, %increment, %before, %now;
    .reg .b64 %barrier;
    ld.param.u64 %barrier, [handle];
    setp.ne.u64 %other, %barrier, 0;
    @!%other trap;
    barrier.sync 0;
    mov.u32 %rank, %tid.x;
    mov.u32 %part, %tid.y;
    or.b32 %rank, %rank, %part;
    mov.u32 %part, %tid.z;
    or.b32 %rank, %rank, %part;
    setp.ne.u32 %other, %rank, 0;
    @%other bra $done;
    mov.u32 %blocks, %nctaid.x;
    mov.u32 %part, %nctaid.y;
    mul.lo.u32 %blocks, %blocks, %part;
    mov.u32 %part, %nctaid.z;
    mul.lo.u32 %blocks, %blocks, %part;
    mov.u32 %rank, %ctaid.x;
    mov.u32 %part, %ctaid.y;
    or.b32 %rank, %rank, %part;
    mov.u32 %part, %ctaid.z;
    or.b32 %rank, %rank, %part;
    setp.ne.u32 %other, %rank, 0;
    sub.u32 %increment, 0x80000001, %blocks;
    selp.u32 %increment, 1, %increment, %other;
    atom.add.release.gpu.u32 %before, [%barrier+4], %increment;
$wait:
    ld.acquire.gpu.u32 %now, [%barrier+4];
    xor.b32 %now, %now, %before;
    setp.ge.s32 %waiting, %now, 0;
    @%waiting bra $wait;
$done:
    barrier.sync 0;
    st.param.b32 [status], 0;
    ret;
}
)ptx";

}  // namespace cuprum::simulator::ptx
