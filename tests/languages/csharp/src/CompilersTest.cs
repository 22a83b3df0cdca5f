using System;
using System.Text;
using Cuprum.Bindings;
using NUnit.Framework;
using static Cuprum.Bindings.NvJitLink;
using static Cuprum.Bindings.Nvrtc;

/// <summary>What NVRTC's and nvJitLink's functions do. No device is needed.</summary>
[TestFixture]
public unsafe class CompilersTest {
    private static void Ok(nvrtcResult status) {
        Assert.AreEqual(nvrtcResult.NVRTC_SUCCESS, status);
    }

    private static void Ok(nvJitLinkResult status) {
        Assert.AreEqual(nvJitLinkResult.NVJITLINK_SUCCESS, status);
    }

    private static IntPtr NewProgram(string source) {
        IntPtr program;
        Ok(nvrtcCreateProgram(out program, source, "test.cu", 0, null, null));
        return program;
    }

    [Test]
    [Shows("nvrtcVersion", "nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetPTXSize", "nvrtcGetPTX",
           "nvrtcDestroyProgram")]
    public void AProgramIsCompiledToPtx() {
        int major;
        int minor;
        ulong size;
        Ok(nvrtcVersion(out major, out minor));
        Assert.AreEqual(Libraries.Version("nvrtc"), 1000 * major + 10 * minor);
        IntPtr program = NewProgram("extern \"C\" __global__ void one(int* out) { *out = VALUE; }");
        Ok(nvrtcCompileProgram(program, 2, new[] {"--gpu-architecture=compute_80", "-DVALUE=4711"}));
        Ok(nvrtcGetPTXSize(program, out size));
        byte[] ptx = new byte[size];
        Ok(nvrtcGetPTX(program, ptx));
        Assert.AreEqual(0, ptx[size - 1]);
        Assert.That(Encoding.ASCII.GetString(ptx), Is.StringContaining(".entry one").And.StringContaining("4711"));
        Ok(nvrtcDestroyProgram(ref program));
        Assert.AreEqual(IntPtr.Zero, program);
    }

    [Test]
    [Shows("nvrtcAddNameExpression", "nvrtcGetLoweredName")]
    public void ATemplatesNameIsAskedFor() {
        IntPtr program = NewProgram("template <class T> __global__ void fill(T* out) { *out = 1; }");
        Ok(nvrtcAddNameExpression(program, "fill<float>"));
        Ok(nvrtcCompileProgram(program, 0, null));
        string name;
        Ok(nvrtcGetLoweredName(program, "fill<float>", out name));
        Assert.AreEqual("_Z4fillIfEvPT_", name);
        Ok(nvrtcDestroyProgram(ref program));
    }

    [Test]
    [Shows("nvrtcGetProgramLogSize", "nvrtcGetProgramLog")]
    public void WhatDoesNotCompileHasALog() {
        IntPtr program = NewProgram("nonsense");
        Assert.AreEqual(nvrtcResult.NVRTC_ERROR_COMPILATION, nvrtcCompileProgram(program, 0, null));
        ulong size;
        Ok(nvrtcGetProgramLogSize(program, out size));
        byte[] log = new byte[size];
        Ok(nvrtcGetProgramLog(program, log));
        StringAssert.Contains("test.cu(1): error", Encoding.ASCII.GetString(log));
        Ok(nvrtcDestroyProgram(ref program));
    }

    [Test]
    [Shows("nvJitLinkCreate", "nvJitLinkAddData", "nvJitLinkComplete", "nvJitLinkGetLinkedCubinSize",
           "nvJitLinkGetLinkedCubin", "nvJitLinkDestroy")]
    public void PtxIsLinkedToACubin() {
        byte[] ptx = DriverTest.Ascii(DriverTest.Add);
        IntPtr link;
        ulong size;
        Ok(nvJitLinkCreate(out link, 1, new[] {"-arch=sm_80"}));
        fixed (byte* data = ptx) {
            Ok(nvJitLinkAddData(link, nvJitLinkInputType.NVJITLINK_INPUT_PTX, (IntPtr)data, (ulong)ptx.Length, "add"));
        }
        Ok(nvJitLinkComplete(link));
        Ok(nvJitLinkGetLinkedCubinSize(link, out size));
        byte[] cubin = new byte[size];
        fixed (byte* to = cubin) {
            Ok(nvJitLinkGetLinkedCubin(link, (IntPtr)to));
        }
        Assert.AreEqual("ELF", Encoding.ASCII.GetString(cubin, 1, 3));
        Ok(nvJitLinkDestroy(ref link));
        Assert.AreEqual(IntPtr.Zero, link);
    }
}
