using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Programs of NVVM IR, compiled by libNVVM.</summary>
[TestFixture]
public class NvvmProgramTest : LeavesNothing {
    private const string Targets = "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-" +
        "i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n" +
        "target triple = \"nvptx64-nvidia-cuda\"\n!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";
    private const string Scale = Targets +
        "define float @scale(float %x) {\n%product = fmul float %x, 3.0\nret float %product\n}\n";

    // A kernel that applies a function, which other code defines, to each of the floats.
    private static string Apply(string function) {
        return Targets + "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare float @" + function + "(float)\n" +
            "define void @apply(float* %values) {\n%thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
            "%index = zext i32 %thread to i64\n%place = getelementptr inbounds float, float* %values, i64 %index\n" +
            "%value = load float, float* %place\n%result = call float @" + function + "(float %value)\n" +
            "store float %result, float* %place\nret void\n}\n" +
            "!nvvm.annotations = !{!1}\n!1 = !{void (float*)* @apply, !\"kernel\", i32 1}\n";
    }

    private static ProgramOptions Options(bool scaling = true) {
        var options = new ProgramOptions {Name = "apply.ll", Arch = "sm_75"};
        if (scaling) {
            options.ExtraSources.Add(new KeyValuePair<string, byte[]>("scale.ll", Encoding.UTF8.GetBytes(Scale)));
        }
        return options;
    }

    private static float[] Applied(ObjectCode code, params float[] values) {
        var device = new Device(0);
        using (Kernel kernel = code.GetKernel("apply"))
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(4L * values.Length)) {
            buffer.CopyFrom(values);
            stream.Launch(new LaunchConfig(1, values.Length), kernel, buffer);
            stream.Sync();
            var result = new float[values.Length];
            buffer.CopyTo(result);
            return result;
        }
    }

    [Test]
    public void AProgramRunsWithTheModulesThatItIsMadeOf() {
        using (var program = new Program(Apply("scale"), SourceType.Nvvm, Options()))
        using (ObjectCode code = program.Compile()) {
            CollectionAssert.AreEqual(new float[] {3, 6, 9}, Applied(code, 1, 2, 3));
        }
        using (Program program = Program.OfNvvm(Encoding.UTF8.GetBytes(Apply("scale")), Options()))
        using (ObjectCode code = program.Compile(CodeType.Ptx)) {
            CollectionAssert.AreEqual(new float[] {3}, Applied(code, 1));
        }
    }

    [Test]
    public void LibdeviceIsLinked() {
        ProgramOptions options = Options(false);
        options.UseLibdevice = true;
        using (var program = new Program(Apply("__nv_sinf"), SourceType.Nvvm, options))
        using (ObjectCode code = program.Compile()) {
            Assert.AreEqual(Math.Sin(0.5), Applied(code, 0.5F)[0], 1e-6);
        }
    }

    [Test]
    public void OptionsReachTheCompiler() {
        ProgramOptions options = Options();
        options.Ftz = true;
        options.DeviceCodeOptimize = false;
        options.NoCache = true;
        using (var program = new Program(Apply("scale"), SourceType.Nvvm, options))
        using (ObjectCode code = program.Compile(CodeType.Ptx)) {
            Assert.That(Encoding.ASCII.GetString(code.Code()),
                        Is.StringContaining("mul.ftz.f32").And.StringContaining("call"));
        }
    }

    [Test]
    public void WhatIsWrongIsACompileErrorWithItsPlace() {
        string wrong = Apply("scale").Replace("ret void", "ret vvoid");
        ProgramOptions options = Options(false);
        options.Name = "wrong.ll";
        using (var program = new Program(wrong, SourceType.Nvvm, options)) {
            var error = Assert.Throws<CompileException>(() => program.Compile());
            Assert.AreEqual(ErrorDomain.Nvvm, error.Domain);
            Assert.AreEqual("wrong.ll", error.Diagnostics[0].File);
            Assert.AreEqual(wrong.Substring(0, wrong.IndexOf("vvoid", StringComparison.Ordinal)).Count(c => c == '\n') + 1,
                            error.Diagnostics[0].Line);
        }
    }

    [Test]
    public void WhatCannotBeIsRefused() {
        ProgramOptions options = Options(false);
        options.MaxRegisterCount = 5;
        var error = Assert.Throws<InvalidArgumentException>(() => new Program(Scale, SourceType.Nvvm, options));
        StringAssert.Contains("libNVVM has no such options: --maxrregcount=5", error.Message);
        Assert.Throws<InvalidArgumentException>(() => new Program("", SourceType.Nvvm));
        Assert.Throws<InvalidArgumentException>(() => Program.OfNvvm(new byte[0]));
        Assert.Throws<ArgumentNullException>(() => Program.OfNvvm(null));
        Assert.Throws<InvalidArgumentException>(() => new Program("", SourceType.Cxx, Options()));
        Assert.Throws<InvalidArgumentException>(
            () => new Program("", SourceType.Ptx, new ProgramOptions {UseLibdevice = true}));
    }
}
