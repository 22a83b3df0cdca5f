using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

[TestFixture]
public class LinkerTest : LeavesNothing {
    private const string Scale = "__device__ int scale(int x) { return 3 * x; }";
    private const string Apply = @"
__device__ int scale(int x);
extern ""C"" __global__ void apply(int* values) { values[threadIdx.x] = scale(values[threadIdx.x]); }
template <class T> __global__ void add(T* values, T more) { values[threadIdx.x] += more; }
";
    private readonly Device device = new Device(0);

    private static ObjectCode Compiled(string source, CodeType type, string name, params string[] nameExpressions) {
        var options = new ProgramOptions {
            Name = name, RelocatableDeviceCode = true, LinkTimeOptimization = type == CodeType.LtoIr
        };
        using (var program = new Program(source, options)) {
            return program.Compile(type, nameExpressions);
        }
    }

    private int[] Run(ObjectCode code, string name, params object[] more) {
        int[] result = { 1, 2 };
        using (Kernel kernel = code.GetKernel(name))
        using (Stream stream = device.CreateStream())
        using (Buffer values = device.Allocate(8L)) {
            values.CopyFrom(result);
            stream.Launch(new LaunchConfig(1, 2), kernel, new object[] { values }.Concat(more).ToArray());
            stream.Sync();
            values.CopyTo(result);
        }
        return result;
    }

    [TestCase(CodeType.Ptx)]
    [TestCase(CodeType.Cubin)]
    [TestCase(CodeType.LtoIr)]
    public void AFunctionIsLinkedToTheKernelThatCallsIt(CodeType type) {
        using (ObjectCode apply = Compiled(Apply, type, "apply.cu"))
        using (ObjectCode scale = Compiled(Scale, type, "scale.cu"))
        using (var linker = new Linker(apply, scale))
        using (ObjectCode linked = linker.Link(CodeType.Cubin)) {
            Assert.AreEqual(CodeType.Cubin, linked.CodeType);
            Assert.AreEqual("", linker.GetErrorLog());
            Assert.AreEqual(new[] { 3, 6 }, Run(linked, "apply"));
        }
    }

    [Test]
    public void LtoIrIsLinkedToPtxAndAgainToACubin() {
        using (ObjectCode apply = Compiled(Apply, CodeType.LtoIr, "apply.cu"))
        using (ObjectCode scale = Compiled(Scale, CodeType.LtoIr, "scale.cu"))
        using (var linker = new Linker(new[] { apply, scale }, new LinkerOptions { Name = "both", Time = true }))
        using (ObjectCode ptx = linker.Link(CodeType.Ptx))
        using (ObjectCode cubin = linker.Link(CodeType.Cubin)) {
            Assert.AreEqual(CodeType.Ptx, ptx.CodeType);
            StringAssert.Contains("time", linker.GetInfoLog());
            Assert.AreEqual(new[] { 3, 6 }, Run(ptx, "apply"));
            Assert.AreEqual(new[] { 3, 6 }, Run(cubin, "apply"));
        }
    }

    [Test]
    public void NameExpressionsSurvive() {
        using (ObjectCode apply = Compiled(Apply, CodeType.Ptx, "apply.cu", "add<int>"))
        using (ObjectCode scale = Compiled(Scale, CodeType.Ptx, "scale.cu"))
        using (var linker = new Linker(apply, scale))
        using (ObjectCode linked = linker.Link(CodeType.Cubin)) {
            Assert.AreEqual(apply.LoweredName("add<int>"), linked.LoweredName("add<int>"));
            Assert.AreEqual(new[] { 11, 12 }, Run(linked, "add<int>", 10));
        }
    }

    [Test]
    public void AnObjectIsAnInput() {
        if (!device.IsSimulator) Assert.Ignore("nvJitLink takes objects that nvcc has written");
        using (ObjectCode apply = Compiled(Apply, CodeType.Cubin, "apply.cu"))
        using (ObjectCode scale = Compiled(Scale, CodeType.Cubin, "scale.cu"))
        using (ObjectCode file = ObjectCode.FromBytes(scale.Code(), CodeType.Object, "scale.o"))
        using (var linker = new Linker(apply, file))
        using (ObjectCode linked = linker.Link(CodeType.Cubin)) {
            Assert.AreEqual(CodeType.Object, file.CodeType);
            Assert.AreEqual(new[] { 3, 6 }, Run(linked, "apply"));
        }
    }

    [Test]
    public void WhatNobodyDefinesIsInTheErrorAndInTheLogs() {
        using (ObjectCode apply = Compiled(Apply, CodeType.Ptx, "apply.cu"))
        using (var linker = new Linker(apply)) {
            var error = Assert.Throws<NvJitLinkException>(() => linker.Link(CodeType.Cubin).Dispose());
            StringAssert.Contains("_Z5scalei", error.Log);
            Fixtures.AssertMentions(error, "_Z5scalei", "that defines it");
            StringAssert.Contains("_Z5scalei", linker.GetErrorLog());
        }
    }

    [Test]
    public void ACubinOfAnotherArchitectureIsRefused() {
        using (var program = new Program(Scale, new ProgramOptions { Arch = "sm_80" }))
        using (ObjectCode code = program.Compile(CodeType.Cubin))
        using (var linker = new Linker(new[] { code }, new LinkerOptions { Arch = "sm_90" })) {
            var error = Assert.Throws<NvJitLinkException>(() => linker.Link(CodeType.Cubin).Dispose());
            Fixtures.AssertMentions(error, "another architecture");
        }
    }

    [Test]
    public void EveryOptionIsTaken() {
        var options = new LinkerOptions {
            Verbose = true, LinkTimeOptimization = true, OptimizationLevel = 3, Lineinfo = true, Ftz = false,
            PrecDiv = true, PrecSqrt = true, Fma = true, OptimizeUnusedVariables = true, MaxRegisterCount = 64,
            SplitCompile = 1, SplitCompileExtended = 1, NoCache = true,
            KernelsUsed = { "apply", "add<int>" }, VariablesUsed = { "nothing" }, PtxasOptions = { "-v" }
        };
        using (ObjectCode apply = Compiled(Apply, CodeType.LtoIr, "apply.cu", "add<int>"))
        using (ObjectCode scale = Compiled(Scale, CodeType.LtoIr, "scale.cu"))
        using (var linker = new Linker(new[] { apply, scale }, options))
        using (ObjectCode linked = linker.Link(CodeType.Cubin)) {
            Assert.AreEqual(new[] { 3, 6 }, Run(linked, "apply"));
            Assert.AreEqual(new[] { 11, 12 }, Run(linked, "add<int>", 10));
        }
        using (ObjectCode scale = Compiled(Scale, CodeType.Ptx, "scale.cu"))
        using (var linker = new Linker(new[] { scale }, new LinkerOptions { ExtraOptions = { "-frobnicate" } })) {
            var error = Assert.Throws<InvalidArgumentException>(() => linker.Link(CodeType.Cubin).Dispose());
            Fixtures.AssertMentions(error, "-frobnicate");
        }
    }

    [Test]
    public void AClosedLinkerAndClosedInputsSaySo() {
        ObjectCode scale = Compiled(Scale, CodeType.Ptx, "scale.cu");
        var linker = new Linker(scale);
        Assert.AreNotEqual(0, linker.Handle);
        Assert.AreEqual("Linker \"default_linker\"", linker.ToString());
        linker.Dispose();
        scale.Dispose();
        Assert.IsTrue(linker.IsClosed);
        Assert.Throws<InvalidStateException>(() => linker.Link(CodeType.Cubin));
        Assert.Throws<InvalidStateException>(() => new Linker(scale));
        Assert.Throws<InvalidArgumentException>(() => new Linker());
    }
}
