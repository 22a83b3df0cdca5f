using System;
using System.Collections.Generic;
using System.IO;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;
using Stream = Cuprum.Stream;

/// <summary>Every kind of bad input: a clear error, nothing leaked, and the objects still usable.</summary>
[TestFixture]
public class BadInputTest : LeavesNothing {
    private static readonly LaunchConfig config = new LaunchConfig(1, 32);

    private readonly Device device = new Device(0);

    [Test]
    public void WithoutAToolkitTheErrorSaysWhatIsMissingAndWhereItWasLookedFor() {
        ChildProcess child = new ChildProcess().Hide("/usr/local/cuda", "libnvrtc", "/nvidia/")
            .Environment("CUDA_PATH", "/opt/no-such-toolkit").Run("no-toolkit");
        Assert.AreEqual(0, child.ExitStatus, child.Output);
        StringAssert.StartsWith("LibraryNotFound", child.Output);
        StringAssert.DoesNotContain("advice=[]", child.Output);
        foreach (string word in new[] { "nvrtc", "/opt/no-such-toolkit", "/usr/local/cuda" }) {
            StringAssert.Contains(word, child.Output);
        }
    }

    [Test]
    public void WithoutADriverTheErrorNamesTheSimulator() {
        ChildProcess child =
            new ChildProcess().Hide("libcuda.so").Environment("CUPRUM_DRIVER", "gpu").Run("no-driver");
        Assert.AreEqual(0, child.ExitStatus, child.Output);
        StringAssert.StartsWith("LibraryNotFound", child.Output);
        StringAssert.Contains("libcuda", child.Output);
        StringAssert.Contains("CUPRUM_DRIVER=sim", child.Output);
    }

    [Test]
    public void AnUnknownChoiceOfDriverListsTheChoices() {
        ChildProcess child = new ChildProcess().Environment("CUPRUM_DRIVER", "cpu").Run("unknown-driver");
        Assert.AreEqual(0, child.ExitStatus, child.Output);
        foreach (string word in new[] { "cpu", "gpu", "sim", "auto" }) {
            StringAssert.Contains(word, child.Output);
        }
    }

    [Test]
    public void AKernelThatDoesNotCompileShowsTheLogWithTheLine() {
        const string source = "__global__ void k() {\n    int i = undeclared;\n}";
        using (var program = new Program(source, new ProgramOptions { Name = "broken.cu" })) {
            var error = Assert.Throws<CompileException>(() => program.Compile());
            Assert.AreEqual(Status.Compile, error.Status);
            Assert.AreEqual(ErrorDomain.Nvrtc, error.Domain);
            Assert.AreEqual("NVRTC_ERROR_COMPILATION", error.Name);
            Assert.AreNotEqual(0, error.Code);
            StringAssert.Contains("broken.cu(2)", error.Log);
            StringAssert.Contains("undeclared", error.Log);
            Fixtures.AssertMentions(error, "broken.cu(2)", error.Operation);
            Assert.Throws<CompileException>(() => program.Compile(CodeType.Ptx));
        }
    }

    [Test]
    public void AKernelNameThatIsNotThereListsThoseThatAre() {
        const string source = "extern \"C\" __global__ void first() {}\nextern \"C\" __global__ void second() {}";
        using (var program = new Program(source))
        using (ObjectCode code = program.Compile()) {
            var error = Assert.Throws<KernelNotFoundException>(() => code.GetKernel("frist"));
            Assert.AreEqual(Status.KernelNotFound, error.Status);
            Fixtures.AssertMentions(error, "frist", "first", "second");
            using (Kernel first = code.GetKernel("first")) {
                Assert.AreEqual(0, first.NumArguments);
            }
        }
    }

    [Test]
    public void AWrongNumberOfArgumentsSaysHowMany() {
        using (Kernel saxpy = Fixtures.Kernel(Fixtures.Saxpy, "saxpy"))
        using (Stream stream = device.CreateStream())
        using (Buffer x = device.Allocate(16))
        using (Buffer y = device.Allocate(16)) {
            var wrongs = new[] { new object[0], new object[] { 2.0f, x, y }, new object[] { 2.0f, x, y, 4, 5 } };
            foreach (object[] wrong in wrongs) {
                var error = Assert.Throws<ArgumentMismatchException>(() => stream.Launch(config, saxpy, wrong));
                Fixtures.AssertMentions(error, "saxpy", "4", wrong.Length.ToString());
            }
            Fixtures.AssertStillUsable(stream, saxpy, x, y);
        }
    }

    [Test]
    public void AnArgumentOfTheWrongSizeSaysWhichAndBothSizes() {
        using (Kernel saxpy = Fixtures.Kernel(Fixtures.Saxpy, "saxpy"))
        using (Stream stream = device.CreateStream())
        using (Buffer x = device.Allocate(16))
        using (Buffer y = device.Allocate(16)) {
            var wrongs = new Dictionary<int, object[]> {
                { 0, new object[] { 2.0, x, y, 4 } },
                { 1, new object[] { 2.0f, 1.0f, y, 4 } },
                { 3, new object[] { 2.0f, x, y, 4L } },
            };
            foreach (KeyValuePair<int, object[]> wrong in wrongs) {
                var error = Assert.Throws<ArgumentMismatchException>(() => stream.Launch(config, saxpy, wrong.Value));
                Assert.AreEqual(Status.ArgumentMismatch, error.Status);
                Fixtures.AssertMentions(error, "argument " + wrong.Key, "4", "8");
            }
            Fixtures.AssertStillUsable(stream, saxpy, x, y);
        }
    }

    [Test]
    public void AnArgumentOfTheWrongTypeSaysWhichAndBothTypes() {
        using (Kernel saxpy = Fixtures.Kernel(Fixtures.Saxpy, "saxpy"))
        using (Stream stream = device.CreateStream())
        using (Buffer x = device.Allocate(16))
        using (Buffer y = device.Allocate(16)) {
            Assert.AreEqual(ArgumentKind.FloatingPoint, saxpy.ArgumentsInfo[0].Kind);
            Assert.AreEqual(ArgumentKind.Pointer, saxpy.ArgumentsInfo[1].Kind);
            Assert.AreEqual("int", saxpy.ArgumentsInfo[3].Type);
            var wrongs = new Dictionary<int, object[]> {
                { 0, new object[] { 2, x, y, 4 } },
                { 1, new object[] { 2.0f, 1.0, y, 4 } },
                { 3, new object[] { 2.0f, x, y, 4.0f } },
            };
            foreach (KeyValuePair<int, object[]> wrong in wrongs) {
                var error = Assert.Throws<ArgumentMismatchException>(() => stream.Launch(config, saxpy, wrong.Value));
                Fixtures.AssertMentions(error, "argument " + wrong.Key, saxpy.ArgumentsInfo[wrong.Key].Type);
            }
            stream.Launch(config, saxpy, 2.0f, x.Handle, y, 4);
            Fixtures.AssertStillUsable(stream, saxpy, x, y);
        }
    }

    [Test]
    public void ALaunchOverTheLimitsOfTheDeviceNamesTheLimit() {
        DeviceProperties limits = device.Properties;
        using (Kernel saxpy = Fixtures.Kernel(Fixtures.Saxpy, "saxpy"))
        using (Stream stream = device.CreateStream())
        using (Buffer x = device.Allocate(16))
        using (Buffer y = device.Allocate(16)) {
            var overs = new Dictionary<LaunchConfig, int> {
                { new LaunchConfig(1, limits.MaxThreadsPerBlock + 1), limits.MaxThreadsPerBlock },
                { new LaunchConfig(1, new Dimensions(1, 1, limits.MaxBlockDimZ + 1)), limits.MaxBlockDimZ },
                { new LaunchConfig(new Dimensions(1, limits.MaxGridDimY + 1), 1), limits.MaxGridDimY },
                { new LaunchConfig(1, 1, 1 << 30), 1 << 30 },
            };
            foreach (KeyValuePair<LaunchConfig, int> over in overs) {
                var error = Assert.Throws<InvalidArgumentException>(
                    () => stream.Launch(over.Key, saxpy, 2.0f, x, y, 4));
                Fixtures.AssertMentions(error, over.Value.ToString());
            }
            Assert.Throws<ArgumentOutOfRangeException>(() => new LaunchConfig(0, 1));
            Assert.Throws<ArgumentException>(() => new LaunchConfig(default(Dimensions), 1));
            Fixtures.AssertStillUsable(stream, saxpy, x, y);
        }
    }

    [Test]
    public void AnAccessOutOfBoundsIsADeviceFaultThatNamesTheKernel() {
        // In a process of its own: a real device's context does not survive it.
        ChildProcess child = new ChildProcess().Run("fault");
        Assert.AreEqual(0, child.ExitStatus, child.Output);
        string[] parts = child.Output.Split(new[] { '\n' }, 2);
        string[] head = parts[0].Split(' ');
        Assert.AreEqual("CUDA_ERROR_ILLEGAL_ADDRESS", head[2]);
        StringAssert.StartsWith("DeviceFault", parts[1]);
        if (head[0] == "True") {
            ulong address = Convert.ToUInt64(head[1], 16);
            StringAssert.Contains("stray", parts[1]);
            StringAssert.Contains("thread", parts[1].ToLowerInvariant());
            StringAssert.Contains((address + (1UL << 42)).ToString("x"), parts[1], "the address");
            StringAssert.Contains(address.ToString("x"), parts[1], "the nearest allocation");
        }
    }

    [Test]
    public void MoreMemoryThanThereIsSaysHowMuchWasAskedFor() {
        var error = Assert.Throws<MemoryExhaustedException>(() => device.Allocate(1L << 60));
        Assert.AreEqual(Status.OutOfMemory, error.Status);
        Fixtures.AssertMentions(error, (1L << 60).ToString());
        Assert.Throws<ArgumentOutOfRangeException>(() => device.Allocate(-1L));
        device.Allocate(16).Dispose();
    }

    [Test]
    public void ADeviceThatIsNotThereIsNamed() {
        Fixtures.AssertMentions(Assert.Throws<InvalidArgumentException>(() => new Device(4096)), "4096");
        Assert.Throws<InvalidArgumentException>(() => new Device(-1));
    }

    [Test]
    public void ALibraryThatNobodyKnowsIsAnError() {
        Assert.Catch<CuprumException>(() => Pathfinder.LocateNvidiaDynamicLib("no-such-library"));
        Assert.Catch<CuprumException>(() => Pathfinder.LocateNvidiaHeaderDirectory("no-such-headers"));
        LocatedPath nvrtc = Pathfinder.LocateNvidiaDynamicLib("nvrtc");
        Assert.IsTrue(File.Exists(nvrtc.Path), nvrtc.Path);
        Assert.IsNotEmpty(nvrtc.FoundVia);
        LocatedPath headers = Pathfinder.LocateNvidiaHeaderDirectory("cudart");
        Assert.IsTrue(File.Exists(Path.Combine(headers.Path, "cuda_runtime.h")), headers.Path);
    }

    [Test]
    public void EventsWithoutTimingCannotBeMeasuredWith() {
        using (Stream stream = device.CreateStream())
        using (Event recorded = device.CreateEvent()) {
            stream.Record(recorded);
            stream.Sync();
            Assert.Throws<InvalidStateException>(() => Event.ElapsedTime(recorded, recorded));
        }
    }

    [Test]
    public void ATextWithANulIsRefusedAndNotCut() {
        Fixtures.AssertMentions(Assert.Throws<ArgumentException>(() => new Program("int \0 k")), "NUL");
        var options = new ProgramOptions();
        options.ExtraOptions.Add("-D\0");
        Assert.Throws<ArgumentException>(() => new Program("", options));
    }

    [Test]
    public void NegativeSizesAreRefusedBeforeTheyReachC() {
        Assert.Throws<ArgumentOutOfRangeException>(() => new Dimensions(1, -1, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new LaunchConfig(1, 1, -1));
    }
}
