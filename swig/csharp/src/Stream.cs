using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>A queue of work on a device. Made by <see cref="Device.CreateStream"/>.</summary>
/// <remarks>
/// Disposing of it does not wait: the work in the stream goes on. The one exception are copies of arrays whose end
/// nobody has waited for; disposing then waits, because the arrays must stay where they are until then.
/// </remarks>
public sealed class Stream : IDisposable {
    private readonly StreamHandle handle;

    internal Stream(IntPtr handle) {
        this.handle = new StreamHandle(handle);
    }

    /// <summary>Borrows a stream that other code has made; disposing of the result leaves the CUstream alone.</summary>
    /// <param name="device">Whose stream it is.</param>
    /// <param name="handle">The CUstream, as an integer; the caller keeps it alive.</param>
    public static Stream FromHandle(Device device, ulong handle) {
        IntPtr stream;
        CuprumNative.cuprum_stream_from_native(out stream, device.DeviceId, handle);
        return new Stream(stream);
    }

    /// <summary>The CUstream, as an integer; valid until this stream is closed.</summary>
    public ulong Handle {
        get {
            ulong native;
            CuprumNative.cuprum_stream_native(out native, Use("asking a stream for its handle"));
            return native;
        }
    }

    /// <summary>The device that the stream belongs to.</summary>
    public Device Device {
        get {
            int device;
            CuprumNative.cuprum_stream_device(out device, Use("asking a stream for its device"));
            return new Device(device);
        }
    }

    /// <summary>Whether it does not synchronise with the legacy default stream.</summary>
    public bool IsNonblocking {
        get {
            int nonblocking;
            CuprumNative.cuprum_stream_is_nonblocking(
                out nonblocking, Use("asking a stream whether it is nonblocking"));
            return nonblocking != 0;
        }
    }

    /// <summary>Lower numbers first.</summary>
    public int Priority {
        get {
            int priority;
            CuprumNative.cuprum_stream_priority(out priority, Use("asking a stream for its priority"));
            return priority;
        }
    }

    /// <summary>Whether all work so far has finished.</summary>
    public bool IsDone {
        get {
            NativeHandle stream = Use("asking a stream whether it is done");
            ulong mark = handle.Pending.Mark;
            int done;
            CuprumNative.cuprum_stream_is_done(out done, stream);
            if (done != 0) {
                handle.Pending.Passed(mark);
            }
            return done != 0;
        }
    }

    /// <summary>Waits for all work so far.</summary>
    /// <exception cref="DeviceFaultException">A kernel in it failed.</exception>
    public void Sync() {
        NativeHandle stream = Use("synchronising a stream");
        ulong mark = handle.Pending.Mark;
        CuprumNative.cuprum_stream_sync(stream);
        handle.Pending.Passed(mark);
    }

    /// <summary>Records a new event after all work so far; the caller disposes of it.</summary>
    /// <param name="options">How to make the event; null for the defaults.</param>
    public Event Record(EventOptions options = null) {
        Event recorded = Device.CreateEvent(options);
        try {
            Record(recorded);
            return recorded;
        } catch {
            recorded.Dispose();
            throw;
        }
    }

    /// <summary>Records an event of the same device after all work so far.</summary>
    public void Record(Event recorded) {
        const string operation = "recording an event in a stream";
        CuprumNative.cuprum_stream_record(Use(operation), Require.NotNull(recorded, nameof(recorded)).Use(operation));
    }

    /// <summary>Makes later work in this stream wait for a recorded event. Does not wait itself.</summary>
    public void Wait(Event awaited) {
        const string operation = "making a stream wait for an event";
        CuprumNative.cuprum_stream_wait_event(Use(operation), Require.NotNull(awaited, nameof(awaited)).Use(operation));
    }

    /// <summary>Makes later work in this stream wait for all work so far in another. Does not wait itself.</summary>
    public void Wait(Stream other) {
        const string operation = "making a stream wait for another";
        CuprumNative.cuprum_stream_wait_stream(Use(operation), Require.NotNull(other, nameof(other)).Use(operation));
    }

    /// <summary>
    /// Launches a kernel; asynchronous. Arguments are checked against the kernel's parameters before the launch.
    /// </summary>
    /// <remarks>
    /// Each argument has exactly the width of its C# type: byte, sbyte and bool 1, short and ushort 2, int, uint and
    /// float 4, long, ulong, double, IntPtr and UIntPtr 8 bytes. A <see cref="Buffer"/> is passed as its device
    /// address; any other device address is a ulong or IntPtr.
    /// </remarks>
    /// <param name="config">Grid, block, shared memory.</param>
    /// <param name="kernel">What to launch.</param>
    /// <param name="arguments">One for each parameter.</param>
    /// <exception cref="ArgumentMismatchException">Their number or the width of one is wrong.</exception>
    /// <exception cref="InvalidArgumentException">The configuration is over a limit of the device.</exception>
    /// <exception cref="ArgumentException">An argument is of a type that no kernel takes.</exception>
    public unsafe void Launch(LaunchConfig config, Kernel kernel, params object[] arguments) {
        const string operation = "launching a kernel";
        Require.NotNull(config, nameof(config));
        Require.NotNull(kernel, nameof(kernel));
        // A lone null is taken for the array itself.
        arguments = arguments ?? new object[] { null };
        ulong[] values = new ulong[arguments.Length];
        fixed (ulong* valuesInPlace = values) {
            PackedArgument[] packed = KernelArguments.Pack(arguments, values, valuesInPlace);
            fixed (PackedArgument* packedInPlace = packed) {
                CuprumNative.cuprum_launch(
                    Use(operation), (uint)config.Grid.X, (uint)config.Grid.Y, (uint)config.Grid.Z,
                    (uint)config.Block.X, (uint)config.Block.Y, (uint)config.Block.Z, (uint)config.ShmemSize,
                    config.IsCooperative ? 1 : 0, kernel.Use(operation), (IntPtr)packedInPlace, (uint)packed.Length);
            }
        }
        GC.KeepAlive(arguments);    // and with them the buffers whose handles are in `packed`
    }

    /// <summary>Whether it is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>Idempotent.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Names the stream.</summary>
    public override string ToString() {
        return "Stream " + handle.Value.ToString("x");
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }

    /// <summary>NativeHandle.None for null.</summary>
    internal static NativeHandle UseOptional(Stream stream, string operation) {
        return stream == null ? NativeHandle.None : stream.Use(operation);
    }

    /// <summary>Keeps an array where it is until a copy that starts now has ended. Call it before the copy.</summary>
    internal void PinUntilPassed(Array array) {
        if (handle.Pending.Add(array)) {
            bool releasesWhatIsOver = IsDone;
            GC.KeepAlive(releasesWhatIsOver);
        }
    }
}

}
