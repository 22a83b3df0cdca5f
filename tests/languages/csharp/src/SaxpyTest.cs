using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

[TestFixture]
public class SaxpyTest : LeavesNothing {
    private readonly Device device = new Device(0);

    [Test]
    public void EveryElementOfSaxpyIsRight() {
        const int n = 100003;
        var random = new Random(1);
        var x = new float[n];
        var y = new float[n];
        for (int i = 0; i < n; ++i) {
            x[i] = random.Next(1000);
            y[i] = random.Next(1000);
        }
        var result = new float[n];
        using (Kernel saxpy = Fixtures.Kernel(Fixtures.Saxpy, "saxpy"))
        using (Stream stream = device.CreateStream())
        using (Buffer xDevice = device.Allocate(n * sizeof(float), stream))
        using (Buffer yDevice = device.Allocate(n * sizeof(float), stream))
        using (Event start = stream.Record(new EventOptions { TimingEnabled = true })) {
            xDevice.CopyFrom(x, stream);
            yDevice.CopyFrom(y, stream);
            CuprumLibrary.Launch(stream, new LaunchConfig((n + 255) / 256, 256), saxpy, 2.5f, xDevice, yDevice, n);
            yDevice.CopyTo(result, stream);
            using (Event end = stream.Record(new EventOptions { TimingEnabled = true })) {
                stream.Sync();
                Assert.Greater(end - start, 0);
                Assert.AreEqual(Event.ElapsedTime(start, end), end - start);
            }
        }
        for (int i = 0; i < n; ++i) {
            if (result[i] != 2.5f * x[i] + y[i]) {
                Assert.Fail("element " + i + " is " + result[i]);
            }
        }
    }

    [Test]
    public void TheDeviceDescribesItself() {
        Assert.Greater(Device.Count, 0);
        Assert.AreEqual(device, Device.GetAllDevices()[0]);
        Assert.AreEqual(device.IsSimulator, device.Name.ToLowerInvariant().Contains("simulator"), device.Name);
        Assert.AreEqual(device.Arch, device.ComputeCapability.Major.ToString(CultureInfo.InvariantCulture)
                                     + device.ComputeCapability.Minor);
        Assert.AreEqual(32, device.Properties.WarpSize);
        Assert.AreEqual(device.Properties.MaxThreadsPerBlock, device.Attribute(1));
        Assert.AreEqual(device.IsSimulator, device.Properties.IsSimulator);
        StringAssert.StartsWith("GPU-", device.Uuid);
        StringAssert.Contains(":", device.PciBusId);
        Assert.Greater(device.FreeMemory, 0UL);
        Assert.LessOrEqual(device.FreeMemory, device.TotalMemory);
        MemoryInfo memory = device.MemoryInfo;
        Assert.Greater(memory.Free, 0UL);
        Assert.LessOrEqual(memory.Free, memory.Total);
        Assert.AreEqual(device.TotalMemory, memory.Total);
        Assert.AreEqual(memory.Free + " of " + memory.Total + " bytes are free", memory.ToString());
        Assert.GreaterOrEqual(CuprumLibrary.DriverVersion, 12000);
        StringAssert.IsMatch(@"^\d+\.\d+$", CuprumLibrary.NvrtcVersion);
        StringAssert.IsMatch(@"^\d+\.\d+\.\d+$", CuprumLibrary.Version);
        StringAssert.StartsWith("{", CuprumLibrary.InfoJson);
    }

    [Test]
    public void ATemplateInstanceIsFoundByItsNameExpression() {
        const string source = "template <class T> __global__ void set(T* p, T value) { *p = value; }";
        using (var program = new Program(source))
        using (ObjectCode code = program.Compile(CodeType.Ptx, "set<double>", "set<long long>"))
        using (Kernel kernel = code.GetKernel("set<long long>"))
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(8)) {
            Assert.AreEqual(CodeType.Ptx, code.CodeType);
            Assert.AreEqual(2, code.KernelNames.Count);
            Assert.AreEqual("set<long long>", kernel.Name);
            StringAssert.StartsWith("_Z3set", code.LoweredName("set<long long>"));
            Assert.AreEqual(2, kernel.NumArguments);
            Assert.AreEqual(8, kernel.ArgumentsInfo[1].Offset);
            Assert.AreEqual(8, kernel.ArgumentsInfo[1].Size);
            Assert.AreEqual(ArgumentKind.Integer, kernel.ArgumentsInfo[1].Kind);
            Assert.AreEqual("long long", kernel.ArgumentsInfo[1].Type);
            stream.Launch(Fixtures.One, kernel, buffer, 1L << 40);
            stream.Sync();
            var result = new long[1];
            buffer.CopyTo(result);
            Assert.AreEqual(1L << 40, result[0]);
        }
    }

    [Test]
    public void OptionsReachTheCompiler() {
        var options = new ProgramOptions { Name = "tëst-\U0001F600.cu", Std = "c++20", Arch = "compute_75" };
        options.DefineMacro.Add(new KeyValuePair<string, string>("VALUE", "41 + 1"));
        options.DefineMacro.Add(new KeyValuePair<string, string>("SET", null));
        const string source = "#if !defined(SET) || __cplusplus < 202002\n#error no\n#endif\n"
                              + "extern \"C\" __global__ void k(int* p) { *p = VALUE; }  // \U0001F600";
        using (var program = new Program(source, options))
        using (ObjectCode code = program.Compile(CodeType.Ptx)) {
            string ptx = Encoding.UTF8.GetString(code.Code());
            StringAssert.Contains(".target sm_75", ptx);
            StringAssert.Contains("42", ptx);
            using (ObjectCode copy = ObjectCode.FromBytes(code.Code(), CodeType.Ptx, "copy"))
            using (Kernel kernel = copy.GetKernel("k")) {
                Assert.AreEqual(1, kernel.NumArguments);
                Assert.Greater(kernel.Attributes(device).MaxThreadsPerBlock, 0);
                Assert.Greater(kernel.MaxActiveBlocksPerMultiprocessor(device, 128), 0);
                Assert.AreEqual(49152, kernel.AvailableDynamicSharedMemoryPerBlock(device, 1, 128));
            }
        }
    }

    [Test]
    public void MachineCodeForTheDeviceIsCompiledAndRuns() {
        using (var program = new Program("extern \"C\" __global__ void set(int* p, int value) { *p = value; }"))
        using (ObjectCode code = program.Compile(CodeType.Cubin))
        using (Kernel kernel = code.GetKernel("set"))
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(sizeof(int))) {
            Assert.AreEqual(CodeType.Cubin, code.CodeType);
            stream.Launch(Fixtures.One, kernel, buffer, 42);
            stream.Sync();
            var result = new int[1];
            buffer.CopyTo(result);
            Assert.AreEqual(42, result[0]);
        }
    }

    [Test]
    public void StreamsAndEventsAreWhatTheyWereMadeAs() {
        using (Stream stream = device.CreateStream(new StreamOptions { Nonblocking = false }))
        using (Stream other = device.CreateStream())
        using (Event recorded = device.CreateEvent(new EventOptions { BlockingSync = true }))
        using (Stream borrowed = Stream.FromHandle(device, other.Handle))
        using (Stream legacy = device.DefaultStream) {
            Assert.IsFalse(stream.IsNonblocking);
            Assert.IsTrue(other.IsNonblocking);
            Assert.AreEqual(0, stream.Priority);
            Assert.AreEqual(device, stream.Device);
            Assert.AreEqual(device, recorded.Device);
            Assert.AreEqual(other.Handle, borrowed.Handle);
            Assert.IsTrue(!recorded.IsTimingEnabled && recorded.IsBlockingSync);
            stream.Record(recorded);
            other.Wait(recorded);
            other.Wait(stream);
            recorded.Sync();
            other.Sync();
            legacy.Sync();
            device.Sync();
            Assert.IsTrue(recorded.IsDone && stream.IsDone && other.IsDone);
        }
    }
}
