using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>A queue of work on a device. Made by <see cref="Device.CreateStream"/>.</summary>
/// <remarks>
/// Disposing of it does not wait: the work in the stream goes on. The one exception are copies of arrays whose end
/// nobody has waited for; disposing then waits, because the arrays must stay where they are until then.
/// </remarks>
public sealed partial class Stream : IDisposable {
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

    /// <summary>Whether all work so far has finished.</summary>
    public bool IsDone {
        get {
            NativeHandle stream = Use(Operations.StreamIsDone);
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
        NativeHandle stream = Use(Operations.StreamSync);
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
        Require.NotNull(config, nameof(config));
        Require.NotNull(kernel, nameof(kernel));
        // A lone null is taken for the array itself.
        arguments = arguments ?? new object[] { null };
        ulong[] values = new ulong[arguments.Length];
        fixed (ulong* valuesInPlace = values) {
            PackedArgument[] packed = KernelArguments.Pack(arguments, values, valuesInPlace);
            fixed (PackedArgument* packedInPlace = packed) {
                CuprumNative.cuprum_launch(
                    Use(Operations.Launch), (uint)config.Grid.X, (uint)config.Grid.Y, (uint)config.Grid.Z,
                    (uint)config.Block.X, (uint)config.Block.Y, (uint)config.Block.Z, (uint)config.ShmemSize,
                    config.IsCooperative ? 1 : 0, kernel.Use(Operations.Launch), (IntPtr)packedInPlace, (uint)packed.Length);
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
