using System;
using System.Text;
using Cuprum.Bindings;
using NUnit.Framework;
using static Cuprum.Bindings.NvJitLink;
using static Cuprum.Bindings.Nvrtc;
using static Cuprum.Bindings.Nvvm;

/// <summary>What NVRTC's, nvJitLink's and libNVVM's functions do. No device is needed.</summary>
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

    private const string NvvmTargets = "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-" +
        "i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n" +
        "target triple = \"nvptx64-nvidia-cuda\"\n!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";

    private static void Ok(nvvmResult status) {
        Assert.AreEqual(nvvmResult.NVVM_SUCCESS, status);
    }

    private static string NvvmLog(IntPtr program) {
        ulong size;
        Ok(nvvmGetProgramLogSize(program, out size));
        byte[] log = new byte[size];
        Ok(nvvmGetProgramLog(program, log));
        return Encoding.ASCII.GetString(log).TrimEnd('\0');
    }

    [Test]
    [Shows("nvvmVersion", "nvvmIRVersion", "nvvmCreateProgram", "nvvmAddModuleToProgram",
           "nvvmVerifyProgram", "nvvmCompileProgram", "nvvmGetCompiledResultSize", "nvvmGetCompiledResult",
           "nvvmGetProgramLogSize", "nvvmGetProgramLog", "nvvmDestroyProgram")]
    public void NvvmIrIsCompiledToPtx() {
        int major;
        int minor;
        int debug;
        Ok(nvvmVersion(out major, out minor));
        Assert.AreEqual(2, major);
        Ok(nvvmIRVersion(out major, out minor, out debug, out minor));
        Assert.AreEqual(2, major);
        Assert.That(Libraries.Version("nvvm"), Is.GreaterThanOrEqualTo(12000));
        byte[] kernel = Encoding.ASCII.GetBytes(NvvmTargets + "declare i32 @number()\n" +
            "define void @store(i32* %out) {\n%value = call i32 @number()\nstore i32 %value, i32* %out\nret void\n}\n" +
            "!nvvm.annotations = !{!1}\n!1 = !{void (i32*)* @store, !\"kernel\", i32 1}\n");
        byte[] number = Encoding.ASCII.GetBytes(NvvmTargets + "define i32 @number() {\nret i32 4711\n}\n");
        IntPtr program;
        ulong size;
        Ok(nvvmCreateProgram(out program));
        Ok(nvvmAddModuleToProgram(program, kernel, (ulong)kernel.Length, "kernel.ll"));
        Ok(nvvmAddModuleToProgram(program, number, (ulong)number.Length, "number.ll"));
        string[] options = {"-arch=compute_75"};
        Ok(nvvmVerifyProgram(program, 1, options));
        Ok(nvvmCompileProgram(program, 1, options));
        Assert.AreEqual("", NvvmLog(program));
        Ok(nvvmGetCompiledResultSize(program, out size));
        byte[] ptx = new byte[size];
        Ok(nvvmGetCompiledResult(program, ptx));
        Assert.That(Encoding.ASCII.GetString(ptx), Is.StringContaining(".entry store").And.StringContaining("4711"));
        Ok(nvvmDestroyProgram(ref program));
        Assert.AreEqual(IntPtr.Zero, program);
    }

    [Test]
    public void NvvmIrThatIsWrongHasALog() {
        IntPtr program;
        Ok(nvvmCreateProgram(out program));
        Ok(nvvmAddModuleToProgram(program, Encoding.ASCII.GetBytes("nonsense"), 8, "bad.ll"));
        Assert.AreEqual(nvvmResult.NVVM_ERROR_COMPILATION, nvvmCompileProgram(program, 0, null));
        StringAssert.Contains("bad.ll (1, ", NvvmLog(program));
        Assert.AreEqual("NVVM_ERROR_COMPILATION", nvvmGetErrorString(nvvmResult.NVVM_ERROR_COMPILATION));
        Ok(nvvmDestroyProgram(ref program));
    }
}
