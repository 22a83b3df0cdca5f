"""Fixtures of the tests of cuprum.bindings, which conftest.py has for all.

They run on the simulator and on a GPU, as CUPRUM_DRIVER says.
"""

from __future__ import annotations

import ctypes
import pathlib
import sys
from collections.abc import Iterator

import pytest
from cuprum.bindings import driver

# What the headers say, as the bindings' own generator reads it.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bindings" / "generator"))

PTX = b"""
.version 7.0
.target sm_75
.address_size 64

.visible .global .align 4 .u32 counter = 7;

// y[i] = a * x[i] + y[i]
.visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n)
{
    .reg .pred %p;
    .reg .f32 %f<4>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<6>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    ld.param.u32 %r5, [n];
    setp.ge.s32 %p, %r4, %r5;
    @%p bra done;
    ld.param.f32 %f1, [a];
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [y];
    mul.wide.s32 %rd3, %r4, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.f32 %f2, [%rd4];
    ld.global.f32 %f3, [%rd5];
    fma.rn.f32 %f3, %f1, %f2, %f3;
    st.global.f32 [%rd5], %f3;
done:
    ret;
}

// Writes its arguments to out, 8 bytes each.
.visible .entry arguments(.param .u64 out, .param .u8 a, .param .s16 b, .param .u32 c, .param .u64 d, .param .f64 e)
{
    .reg .b64 %rd<8>;
    .reg .f64 %fd;
    ld.param.u64 %rd1, [out];
    ld.param.u8 %rd2, [a];
    ld.param.s16 %rd3, [b];
    ld.param.u32 %rd4, [c];
    ld.param.u64 %rd5, [d];
    ld.param.f64 %fd, [e];
    st.global.u64 [%rd1], %rd2;
    st.global.u64 [%rd1+8], %rd3;
    st.global.u64 [%rd1+16], %rd4;
    st.global.u64 [%rd1+24], %rd5;
    st.global.f64 [%rd1+32], %fd;
    ret;
}

// Writes the three numbers of a structure to out.
.visible .entry structure(.param .u64 out, .param .align 4 .b8 numbers[12])
{
    .reg .b64 %rd;
    .reg .b32 %r<3>;
    ld.param.u64 %rd, [out];
    ld.param.u32 %r0, [numbers];
    ld.param.u32 %r1, [numbers+4];
    ld.param.u32 %r2, [numbers+8];
    st.global.u32 [%rd], %r0;
    st.global.u32 [%rd+4], %r1;
    st.global.u32 [%rd+8], %r2;
    ret;
}

.visible .entry nothing()
{
    ret;
}
"""


@pytest.fixture(scope="session")
def cu_device() -> driver.CUdevice:
    assert driver.cuInit(0) == (driver.CUresult.CUDA_SUCCESS,)
    err, device = driver.cuDeviceGet(0)
    assert err == driver.CUresult.CUDA_SUCCESS
    return device


@pytest.fixture
def cu_context(cu_device: driver.CUdevice) -> Iterator[driver.CUcontext]:
    """The device's primary context, current in the test."""
    err, context = driver.cuDevicePrimaryCtxRetain(cu_device)
    assert err == driver.CUresult.CUDA_SUCCESS
    assert driver.cuCtxPushCurrent(context)[0] == 0
    yield context
    assert driver.cuCtxSynchronize()[0] == 0
    assert driver.cuCtxPopCurrent()[0] == 0
    assert driver.cuDevicePrimaryCtxRelease(cu_device)[0] == 0


@pytest.fixture
def cu_module(cu_context: driver.CUcontext) -> Iterator[driver.CUmodule]:
    err, module = driver.cuModuleLoadData(PTX)
    assert err == driver.CUresult.CUDA_SUCCESS
    yield module
    assert driver.cuModuleUnload(module)[0] == 0


@pytest.fixture
def cu_stream(cu_context: driver.CUcontext) -> Iterator[driver.CUstream]:
    err, stream = driver.cuStreamCreate(driver.CUstream_flags.CU_STREAM_NON_BLOCKING)
    assert err == driver.CUresult.CUDA_SUCCESS
    yield stream
    assert driver.cuStreamDestroy(stream)[0] == 0


@pytest.fixture
def cu_memory(cu_context: driver.CUcontext) -> Iterator[driver.CUdeviceptr]:
    """4096 bytes of the device."""
    err, memory = driver.cuMemAlloc(4096)
    assert err == driver.CUresult.CUDA_SUCCESS
    yield memory
    assert driver.cuMemFree(memory)[0] == 0


def c_interface() -> ctypes.CDLL:
    """The C ABI of the library that the bindings use."""
    (path,) = {
        line.split()[-1] for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if "libcuprum.so" in line
    }
    return ctypes.CDLL(path)
