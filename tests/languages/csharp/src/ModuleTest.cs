using System;
using System.Collections.Generic;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

namespace CuprumTest {

/// <summary>Attributes and occupancy of kernels, variables of code.</summary>
[TestFixture]
public class ModuleTest {
    private const string Source = @"extern ""C"" __constant__ float factors[4] = {1, 2, 3, 4};
extern ""C"" __device__ int counter = 5;
extern ""C"" __global__ void scale(float* x) {
    x[threadIdx.x] *= factors[threadIdx.x];
    if (threadIdx.x == 0) counter += 1;
}";
    private readonly Device device = new Device(0);

    private static ObjectCode Compiled() {
        using (var program = new Program(Source)) {
            return program.Compile();
        }
    }

    [Test]
    public void AttributesThatAreSetAreRead() {
        using (ObjectCode code = Compiled())
        using (Kernel kernel = code.GetKernel("scale")) {
            KernelAttributes before = kernel.Attributes(device);
            Assert.IsFalse(before.CacheModeCa);
            Assert.IsFalse(before.ClusterSizeMustBeSet);
            Assert.AreEqual(-1, before.PreferredSharedMemoryCarveout);
            foreach (KernelAttribute attribute in System.Enum.GetValues(typeof(KernelAttribute))) {
                kernel.SetAttribute(device, attribute, 1);
            }
            KernelAttributes after = kernel.Attributes(device);
            Assert.AreEqual(1, after.MaxDynamicSharedSizeBytes);
            Assert.AreEqual(1, after.PreferredSharedMemoryCarveout);
            Assert.AreEqual(1, after.RequiredClusterWidth);
            Assert.AreEqual(1, after.RequiredClusterHeight);
            Assert.AreEqual(1, after.RequiredClusterDepth);
            Assert.IsTrue(after.NonPortableClusterSizeAllowed);
            Assert.AreEqual(1, after.ClusterSchedulingPolicyPreference);
            var refused = Assert.Throws<DriverException>(
                () => kernel.SetAttribute(device, KernelAttribute.PreferredSharedMemoryCarveout, 101));
            Assert.AreEqual("setting the preferred shared memory carveout to 101", refused.Operation);
        }
    }

    [Test]
    public void ManyProgramsAreCompiledAtOnce() {
        var programs = new List<Program>();
        var requests = new List<CompileRequest>();
        for (int i = 0; i < 4; ++i) {
            string source = "template <class T> __global__ void fill(T*) {}\nextern \"C\" __global__ void k" + i + "() {}";
            programs.Add(new Program(source, new ProgramOptions { Name = "p" + i + ".cu" }));
            requests.Add(new CompileRequest(programs[i], CodeType.Ptx, "fill<int>"));
        }
        var seen = new HashSet<int>();
        IReadOnlyList<ObjectCode> codes = Program.CompileAll(requests, 2, progress => {
            seen.Add(progress.Index);
            Assert.AreEqual(seen.Count, progress.Done);
            Assert.AreEqual(4, progress.Total);
            Assert.IsTrue(progress.Succeeded);
        });
        Assert.AreEqual(4, seen.Count);
        for (int i = 0; i < 4; ++i) {
            codes[i].GetKernel("k" + i).Dispose();
            codes[i].GetKernel("fill<int>").Dispose();
            codes[i].Dispose();
        }
        foreach (ObjectCode code in Program.CompileAll(requests, 0, progress => Assert.IsTrue(progress.FromCache))) {
            code.Dispose();
        }
        Assert.Throws<TimeoutException>(
            () => Program.CompileAll(requests, 0, progress => { throw new TimeoutException(); }));
        programs.Add(new Program("wrong", new ProgramOptions { Name = "wrong.cu" }));
        requests.Add(new CompileRequest(programs[4]));
        Fixtures.AssertMentions(Assert.Throws<CompileException>(() => Program.CompileAll(requests)),
                                "program 4 'wrong.cu' fails");
        programs.ForEach(program => program.Dispose());
        Assert.Throws<InvalidStateException>(() => Program.CompileAll(requests));
        Assert.Throws<ArgumentOutOfRangeException>(() => Program.CompileAll(requests, -1));
    }

    [Test]
    public void TheBlockSizeThatFillsADeviceIsFound() {
        using (ObjectCode code = Compiled())
        using (Kernel kernel = code.GetKernel("scale")) {
            MaxPotentialBlockSizeOccupancyResult best = kernel.MaxPotentialBlockSize(device, 0);
            Assert.AreEqual(kernel.MaxActiveBlocksPerMultiprocessor(device, best.MaxBlockSize) *
                                device.Properties.MultiprocessorCount,
                            best.MinGridSize);
            Assert.LessOrEqual(kernel.MaxPotentialBlockSize(device, 0, 64).MaxBlockSize, 64);
            Assert.AreEqual(
                64, kernel.MaxPotentialBlockSize(device, threads => threads <= 64 ? 0UL : 1UL << 20).MaxBlockSize);
            Assert.Throws<InvalidArgumentException>(() => kernel.MaxPotentialBlockSize(device, 0, -1));
        }
    }

    private struct Pair {
        public double First, Second;
    }

    [Test]
    public void VariablesAreValuesOfTheirTypes() {
        using (Stream stream = device.CreateStream())
        using (ObjectCode code = Compiled())
        using (GlobalVariable factors = code.GetGlobal(device, "factors"))
        using (GlobalVariable counter = code.GetGlobal(device, "counter")) {
            Assert.AreEqual("factors", factors.Name);
            factors.SetValues(new float[] { 4, 3, 2, 1 });
            Assert.AreEqual(new float[] { 4, 3, 2, 1 }, factors.GetValues<float>(stream));
            factors.SetValue(new Pair { First = 1.5, Second = 2.5 }, stream);
            Assert.AreEqual(2.5, factors.GetValue<Pair>().Second);
            counter.SetValue(41);
            Assert.AreEqual(41, counter.GetValue<int>(stream));
            var error = Assert.Throws<InvalidArgumentException>(() => factors.SetValues(new float[3]));
            Fixtures.AssertMentions(error, "the variable factors", "it has 16 bytes, and 3 of");
            Assert.Throws<InvalidArgumentException>(() => factors.GetValue<float>());
            Assert.Throws<InvalidArgumentException>(() => counter.GetValues<Pair>());
            Assert.Throws<InvalidArgumentException>(() => counter.SetValue(1L));
        }
    }

    [Test]
    public void VariablesAreMemoryThatKeepsTheirCode() {
        Buffer factors, counter;
        var result = new float[4];
        using (Stream stream = device.CreateStream())
        using (Buffer x = device.Allocate(4 * sizeof(float))) {
            using (ObjectCode code = Compiled())
            using (Kernel kernel = code.GetKernel("scale")) {
                factors = code.GetGlobal(device, "factors");
                counter = code.GetGlobal(device, "counter");
                Assert.AreEqual(4 * sizeof(float), factors.Size);
                factors.CopyFrom(new float[] { 10, 20, 30, 40 });
                x.CopyFrom(new float[] { 1, 1, 1, 2 });
                stream.Launch(new LaunchConfig(1, 4), kernel, x);
                stream.Sync();
                Assert.Throws<InvalidArgumentException>(() => code.GetGlobal(device, "missing"));
            }
            x.CopyTo(result);
        }
        Assert.AreEqual(new float[] { 10, 20, 30, 80 }, result);
        var count = new int[1];
        counter.CopyTo(count);
        Assert.AreEqual(6, count[0]);
        factors.Dispose();
        counter.Dispose();
    }

    [Test]
    public void KernelsAreTakenByTheirHandles() {
        using (ObjectCode code = Compiled())
        using (Kernel original = code.GetKernel("scale"))
        using (Kernel borrowed = Kernel.FromHandle(original.Handle))
        using (Kernel taken = Kernel.FromHandle(original.Handle, code)) {
            Assert.AreEqual("scale", taken.Name);
            Assert.AreEqual("Kernel \"scale\"", borrowed.ToString());
            Assert.AreEqual(1, borrowed.NumArguments);
            Assert.AreEqual(original.Handle, taken.Handle);
            code.Dispose();
            Assert.Throws<InvalidStateException>(() => Kernel.FromHandle(original.Handle, code));
        }
        Assert.Throws<InvalidArgumentException>(() => Kernel.FromHandle(0));
    }

    [Test]
    public void TheCompileCacheIsCountedAndVerified() {
        var before = new CompileCache();
        Assert.AreEqual("", before.DisabledReason);
        StringAssert.StartsWith("/", before.Directory);
        using (ObjectCode first = Compiled())
        using (ObjectCode second = Compiled()) {
            Assert.IsFalse(first.IsClosed || second.IsClosed);
        }
        var after = new CompileCache();
        Assert.Greater(after.Hits, before.Hits);
        Assert.Greater(after.Entries, 0UL);
        Assert.Greater(after.Size, 0UL);
        Assert.LessOrEqual(after.Size, after.SizeLimit);
        Assert.LessOrEqual(CompileCache.Verify(), after.Entries);
    }

    [Test]
    public void ACompileLogIsTakenApart() {
        var options = new ProgramOptions { Name = "wrong.cu", Arch = "compute_80" };
        using (var program = new Program("__global__ void k() {\n    wrong();\n}\n", options)) {
            var error = Assert.Throws<CompileException>(() => program.Compile(CodeType.Ptx));
            Assert.AreEqual(1, error.Diagnostics.Count);
            Diagnostic diagnostic = error.Diagnostics[0];
            Assert.AreEqual(Severity.Error, diagnostic.Severity);
            Assert.AreEqual("wrong.cu:2:5", diagnostic.File + ":" + diagnostic.Line + ":" + diagnostic.Column);
            StringAssert.Contains("wrong", diagnostic.Text);
        }
        const string source = "extern \"C\" __global__ void k() {\n    int unused;\n}\n";
        using (var program = new Program(source, options))
        using (ObjectCode code = program.Compile(CodeType.Ptx)) {
            Assert.IsFalse(code.IsClosed);
            Assert.AreEqual("177-D", Program.LastDiagnostics[0].Code);
        }
    }

    [Test]
    public void CodeIsReadFromRegularFilesOnly() {
        var refused = Assert.Throws<InvalidArgumentException>(() => ObjectCode.FromFile("/dev/zero", CodeType.Ptx));
        Assert.AreEqual("it is not a regular file", refused.Detail);
    }
}

}
