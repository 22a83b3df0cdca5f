"""A program of NVVM IR, as compilers of other languages write it: libNVVM compiles it, with a function of libdevice."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, Program, ProgramOptions, launch

COSINES = """
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-\
f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @__nv_cosf(float)  ; libdevice's

define void @cosines(float* %values, i32 %n) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %block, %size
  %i = add i32 %first, %thread
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %done
body:
  %index = sext i32 %i to i64
  %place = getelementptr inbounds float, float* %values, i64 %index
  %value = load float, float* %place, align 4
  %cosine = call float @__nv_cosf(float %value)
  store float %cosine, float* %place, align 4
  br label %done
done:
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{void (float*, i32)* @cosines, !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = !{i32 2, i32 0}
"""
N = 1000


def main() -> int:
    device = Device(0)
    code = Program(COSINES, "nvvm", ProgramOptions(name="cosines.ll", use_libdevice=True)).compile("ptx")
    kernel = code.get_kernel("cosines")

    angles = np.arange(N, dtype=np.float32) / 100
    values = angles.copy()
    stream = device.create_stream()
    values_device = device.allocate(values.nbytes, stream=stream)
    values_device.copy_from_host(values, stream=stream)
    launch(stream, LaunchConfig(grid=(N + 255) // 256, block=256), kernel, values_device, N)
    values_device.copy_to_host(values, stream=stream)
    stream.sync()

    ok = bool(np.allclose(values, np.cos(angles), atol=1e-5))
    print(f"{N} cosines by NVVM IR on {device.name}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
