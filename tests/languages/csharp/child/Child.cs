using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using Cuprum;
using Buffer = Cuprum.Buffer;

/// <summary>What tests run in a process of their own. Prints what the parent looks at; any surprise is a non-zero exit.
/// </summary>
internal static class Child {
    private const string Saxpy = @"
extern ""C"" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
";

    private static int Main(string[] arguments) {
        switch (arguments[0]) {
            case "version": Console.WriteLine("version " + CuprumLibrary.Version); break;
            case "begin-with": Begin(arguments[1]); break;
            case "no-toolkit": WithoutToolkit(); break;
            case "no-driver": WithoutDriver(); break;
            case "unknown-driver": Print(Failure<InvalidArgumentException>(() => new Device(0))); break;
            case "shared-event": SharedEvent(); break;
            case "fault": Fault(); break;
            case "exit-with-work": ExitWithWork(); break;
            case "exit-with-endless-kernel": ExitWithEndlessKernel(); break;
            case "exit-with-every-object": ExitWithEveryObject(); break;
            case "another-device": AnotherDevice(); break;
            case "exit-with-user-memory": ExitWithUserMemory(); break;
            case "every-function": EveryFunction.Call(); break;
            case "describe-every-function": EveryFunction.Describe(arguments[1]); break;
            case "refuse-arguments": EveryFunction.Refuse(arguments[1]); break;
            case "nccl-rank": NcclRank.Run(); break;
            case "no-nccl": NcclRank.WithoutNccl(); break;
            default: return 2;
        }
        return 0;
    }

    private static T Failure<T>(Action action) where T : CuprumException {
        try {
            action();
        } catch (T error) {
            return error;
        }
        throw new InvalidOperationException("no " + typeof(T).Name);
    }

    private static void Print(CuprumException error) {
        Console.WriteLine(error.Status + " advice=[" + error.Advice + "]\n" + error.Message);
    }

    private static void Require(bool condition, string what) {
        if (!condition) {
            throw new InvalidOperationException(what);
        }
    }

    /// <summary>The first thing that the process does with Cuprum.</summary>
    private static void Begin(string with) {
        switch (with) {
            case "Device": new Device(0).Sync(); break;
            case "Device.Count": Require(Device.Count > 0, "no device"); break;
            case "Device.GetAllDevices": Require(Device.GetAllDevices().Count > 0, "no device"); break;
            case "Program": new Program(Saxpy).Dispose(); break;
            case "Program.LastLog": Require(Program.LastLog == "", "a log"); break;
            case "ObjectCode.FromBytes": ObjectCode.FromBytes(new byte[1], CodeType.Ptx).Dispose(); break;
            case "Pathfinder": Pathfinder.LocateNvidiaHeaderDirectory("cudart"); break;
            case "CuprumLibrary": Require(CuprumLibrary.LiveHandles == 0, "handles"); break;
            default: throw new ArgumentException(with);
        }
    }

    private static void WithoutToolkit() {
        IReadOnlyList<Finding> findings = Pathfinder.Diagnose();
        Require(findings.Any(finding => finding.Severity == Severity.Error && finding.Subject == "toolkit" &&
                                        finding.Remedy.Contains("pip install nvidia-cuda-nvrtc")),
                string.Join("\n", findings));
        using (var program = new Program(Saxpy)) {
            Print(Failure<NotFoundException>(() => program.Compile(CodeType.Ptx)));
            Failure<NotFoundException>(() => program.Compile(CodeType.Ptx));
        }
        // What needs no toolkit goes on.
        using (Buffer buffer = new Device(0).Allocate(8)) {
            buffer.CopyFrom(new[] { 0xFFFFFFFF00000001UL });
            var back = new ulong[1];
            buffer.CopyTo(back);
            Require(back[0] == 0xFFFFFFFF00000001UL, "copied " + back[0]);
        }
        Require(CuprumLibrary.LiveHandles == 0, "live handles: " + CuprumLibrary.LiveHandles);
    }

    private static void WithoutDriver() {
        Failure<NotFoundException>(() => new Device(0));
        Print(Failure<NotFoundException>(() => new Device(0)));
        // Compiling needs no driver.
        using (var program = new Program(Saxpy, new ProgramOptions { Arch = "compute_75" }))
        using (ObjectCode code = program.Compile(CodeType.Ptx)) {
            Require(Encoding.UTF8.GetString(code.Code()).Contains("saxpy"), "no kernel in the PTX");
        }
        Require(CuprumLibrary.LiveHandles == 0, "live handles: " + CuprumLibrary.LiveHandles);
    }

    /// <summary>Of ContextTest.</summary>
    private static void SharedEvent() {
        string digits = Environment.GetEnvironmentVariable("CUPRUM_TEST_EVENT");
        var handle = new byte[digits.Length / 2];
        for (int i = 0; i < handle.Length; ++i) {
            handle[i] = Convert.ToByte(digits.Substring(2 * i, 2), 16);
        }
        var device = new Device(0);
        using (Event shared = Event.FromIpcHandle(device, handle, true))
        using (Stream stream = device.CreateStream()) {
            stream.Wait(shared);
            stream.Sync();
            Console.WriteLine("done: " + (shared.IsDone && shared.IsIpcEnabled && shared.IsBlockingSync));
        }
    }

    private static void Fault() {
        var device = new Device(0);
        const string source = "extern \"C\" __global__ void stray(int* p, long long i) { p[i] = 1; }";
        using (var program = new Program(source))
        using (ObjectCode code = program.Compile())
        using (Kernel kernel = code.GetKernel("stray"))
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(64)) {
            stream.Launch(new LaunchConfig(1, 1), kernel, buffer, 1L << 40);
            DeviceFaultException error = Failure<DeviceFaultException>(() => stream.Sync());
            Console.WriteLine(device.IsSimulator + " " + buffer.Handle.ToString("x") + " " + error.Name);
            Print(error);
            Require(buffer.Size == 64, "the buffer still answers");
            Require(kernel.NumArguments == 2, "the kernel still answers");
        }
        Require(CuprumLibrary.LiveHandles == 0, "live handles: " + CuprumLibrary.LiveHandles);
    }

    // Mono's finalizers would free the buffers, which waits for the kernel.
    private static void ExitWithEndlessKernel() {
        const string spin = @"extern ""C"" __global__ void spin(volatile int* stop) { while (*stop == 0) {} }";
        var device = new Device(0);
        Kernel kernel = new Program(spin).Compile().GetKernel("spin");
        Stream stream = device.CreateStream();
        Buffer zero = device.Allocate(4);
        Buffer left = device.Allocate(4);
        zero.Fill(0, 1, stream);
        stream.Launch(new LaunchConfig(1, 32), kernel, zero);
        Console.WriteLine("leaving");
        GC.KeepAlive(left);
    }

    /// <summary>Leaves one of every class open: some in use, some to the finalizer.</summary>
    private static void ExitWithEveryObject() {
        List<IDisposable> kept = EveryObject.Make();
        for (int i = 0; i < 3; ++i) {
            EveryObject.Make();
            GC.Collect();
        }
        AppDomain.CurrentDomain.ProcessExit += (sender, arguments) => {
            foreach (IDisposable each in kept) {
                each.Dispose();
            }
        };
        Console.WriteLine("leaving with " + (kept.Count > 15));
    }

    /// <summary>With two devices.</summary>
    private static void AnotherDevice() {
        var here = new Device(0);
        var there = new Device(1);
        using (Stream stream = here.CreateStream())
        using (Stream foreign = there.CreateStream())
        using (Buffer input = here.Allocate(40L))
        using (Buffer far = there.Allocate(40L))
        using (Buffer output = here.Allocate(8L))
        using (var plus = new Operator(OpKind.Plus))
        using (ElementIterator near = ElementIterator.Of<int>(input))
        using (ElementIterator distant = ElementIterator.Of<int>(far))
        using (var reduce = new Reduce<long>(here, near, plus)) {
            Print(Failure<InvalidArgumentException>(() => reduce.Call(foreign, near, output, 10, 0L)));
            Print(Failure<InvalidArgumentException>(() => reduce.Call(stream, distant, output, 10, 0L)));
            Print(Failure<InvalidArgumentException>(() => far.Fill(1, 1, stream)));
            input.Fill(1, 4, stream);
            reduce.Call(stream, near, output, 10, 0L);
            stream.Sync();
            var sum = new long[1];
            output.CopyTo(sum);
            Require(sum[0] == 10, "the sum is " + sum[0]);
        }
    }

    private sealed class FromPool : IMemoryAllocator {
        private readonly MemoryResource pool = new DeviceMemoryResource(new Device(0), 0ul);
        private readonly ConcurrentDictionary<ulong, Buffer> live = new ConcurrentDictionary<ulong, Buffer>();

        public ulong Allocate(ulong size, Stream stream) {
            Buffer buffer = pool.Allocate(size, stream);
            live[buffer.Handle] = buffer;
            return buffer.Handle;
        }

        public void Deallocate(ulong address, ulong size, Stream stream) {
            Buffer buffer;
            live.TryRemove(address, out buffer);
            buffer.Dispose(stream);
        }
    }

    private static void ExitWithUserMemory() {
        var device = new Device(0);
        device.MemoryResource = new UserMemoryResource(device, new FromPool());
        for (int t = 0; t < 4; ++t) {
            Stream stream = device.CreateStream();
            var thread = new Thread(() => {
                while (true) {
                    device.Allocate(1024, stream).Dispose();
                    device.Allocate(1024, stream);    // garbage, which the finalizer thread frees
                }
            });
            thread.IsBackground = true;
            thread.Start();
        }
        for (int i = 0; i < 5; ++i) {
            GC.Collect();
            Thread.Sleep(20);
        }
        Console.WriteLine("leaving");
    }

    /// <summary>Leaves everything open, with work under way, and threads that go on using it.</summary>
    private static void ExitWithWork() {
        var device = new Device(0);
        Kernel kernel = new Program(Saxpy).Compile().GetKernel("saxpy");
        var open = new List<IDisposable>();
        for (int t = 0; t < 4; ++t) {
            Stream stream = device.CreateStream();
            Buffer x = device.Allocate(1 << 20, stream);
            Buffer y = device.Allocate(1 << 20, stream);
            open.Add(stream);
            open.Add(x);
            open.Add(y);
            var thread = new Thread(() => {
                for (int i = 0;; ++i) {
                    stream.Launch(new LaunchConfig(1024, 256), kernel, 1.0f, x, y, 1 << 18);
                    device.CreateEvent();    // garbage, which the finalizer thread destroys
                    if (i % 10 == 0) {
                        stream.Sync();
                    }
                }
            });
            thread.IsBackground = true;
            thread.Start();
        }
        for (int i = 0; i < 5; ++i) {
            GC.Collect();
            Thread.Sleep(20);
        }
        Console.WriteLine("leaving with " + open.Count);
    }
}
