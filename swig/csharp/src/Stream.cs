using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

/// <summary>A queue of work on a device. Made by <see cref="Device.CreateStream"/>.</summary>
/// <remarks>
/// Disposing of it does not wait: the work in the stream goes on. The one exception is copies of arrays that nobody
/// has waited for: disposing then waits, because the arrays must stay in place until the copies are done.
/// </remarks>
public sealed partial class Stream : IDisposable {
    private readonly StreamHandle handle;

    internal Stream(IntPtr handle) {
        this.handle = new StreamHandle(handle);
    }

    /// <summary>Borrows a stream that other code has made; disposing of the result leaves the CUstream alone.</summary>
    /// <param name="device">The device that the stream belongs to.</param>
    /// <param name="handle">The CUstream, as an integer; the caller keeps it alive.</param>
    public static Stream FromHandle(Device device, ulong handle) {
        IntPtr stream;
        CuprumNative.cuprum_stream_from_native(out stream, device.DeviceId, handle);
        return new Stream(stream);
    }

    /// <summary>The context that its work runs in; the caller disposes of it.</summary>
    public Context Context {
        get {
            IntPtr context;
            CuprumNative.cuprum_context_of_stream(out context, Use(Operations.ContextOfStream));
            return new Context(context);
        }
    }

    /// <summary>A graph builder that captures what is put into this stream; the caller disposes of it. The legacy default
    /// stream cannot be captured.</summary>
    public GraphBuilder CreateGraphBuilder() {
        IntPtr builder;
        CuprumNative.cuprum_graph_builder_create(out builder, Use(Operations.GraphBuilderCreate));
        return new GraphBuilder(builder);
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
    /// <param name="options">The event's options; null for the defaults.</param>
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
    /// address; any other device address is a ulong or IntPtr. A struct of
    /// numbers, laid out in sequence or explicitly, is passed with exactly its bytes.
    /// </remarks>
    /// <param name="config">Grid, block, shared memory and the rest.</param>
    /// <param name="kernel">The kernel to launch.</param>
    /// <param name="arguments">One argument for each parameter.</param>
    /// <exception cref="ArgumentMismatchException">There are too many or too few, or one has the wrong
    /// width.</exception>
    /// <exception cref="InvalidArgumentException">The configuration exceeds a limit of the device.</exception>
    /// <exception cref="ArgumentException">An argument has a type that no kernel accepts.</exception>
    public unsafe void Launch(LaunchConfig config, Kernel kernel, params object[] arguments) {
        Require.NotNull(config, nameof(config));
        Require.NotNull(kernel, nameof(kernel));
        // A lone null is taken to be the array itself.
        arguments = arguments ?? new object[] { null };
        ulong[] values = new ulong[arguments.Length];
        List<GCHandle> pins = null;
        try {
            fixed (ulong* valuesInPlace = values) {
                PackedArgument[] packed = KernelArguments.Pack(arguments, values, valuesInPlace, ref pins);
                fixed (PackedArgument* packedInPlace = packed) {
                    config.Launch(Use(Operations.Launch), kernel.Use(Operations.Launch), (IntPtr)packedInPlace,
                                  (uint)packed.Length);
                }
            }
        } finally {
            KernelArguments.Free(pins);
        }
        GC.KeepAlive(arguments);    // and with them the buffers whose handles are in `packed`
    }

    /// <summary>What a host function has thrown, on the thread that it ran on. Handlers must not use CUDA. What nobody
    /// listens to is lost.</summary>
    public static event EventHandler<UnhandledExceptionEventArgs> HostFunctionException;

    /// <summary>Calls a function when all work so far is done; later work waits until it returns.</summary>
    /// <remarks>
    /// One thread calls the functions of all streams, one after the other. It must not use CUDA, nor wait for a thread that does. What it throws goes to <see cref="HostFunctionException"/>.
    /// It is kept until it has been called. It is never called where the device fails first, and when the process exits.
    /// </remarks>
    /// <param name="function">What to call.</param>
    public void LaunchHostFunction(Action function) {
        HostFunctions.Launch(Use(Operations.StreamLaunchHostFunction), Require.NotNull(function, nameof(function)));
    }

    /// <summary>Makes later work wait until the 4 bytes at byte <paramref name="offset"/> of the buffer fulfil the
    /// condition, whoever writes them: the CPU, a kernel, another stream or another device.</summary>
    /// <param name="buffer">Must live until the stream has passed this.</param>
    /// <param name="offset">Bytes.</param>
    /// <param name="value">To compare with.</param>
    /// <param name="condition">How.</param>
    /// <param name="flush">What other devices have written before is then visible, too, where the device can do that.
    /// </param>
    /// <exception cref="InvalidArgumentException">The address is not aligned to 4 bytes, or not inside of the buffer.
    /// </exception>
    public void WaitValue32(Buffer buffer, ulong offset, uint value,
                            WaitCondition condition = WaitCondition.GreaterOrEqual, bool flush = false) {
        NativeHandle words = Require.NotNull(buffer, nameof(buffer)).Use(Operations.StreamWaitValue32);
        CuprumNative.cuprum_stream_wait_value32(Use(Operations.StreamWaitValue32), words, offset, value, (int)condition,
                                                flush ? 1 : 0);
    }

    /// <summary>Writes the 4 bytes at byte <paramref name="offset"/> of the buffer after all work so far. What
    /// this work wrote is visible first.</summary>
    /// <param name="buffer">Must live until the stream has passed this.</param>
    /// <param name="offset">Bytes.</param>
    /// <param name="value">To write.</param>
    /// <exception cref="InvalidArgumentException">The address is not aligned to 4 bytes, or not inside of the buffer.
    /// </exception>
    public void WriteValue32(Buffer buffer, ulong offset, uint value) {
        NativeHandle words = Require.NotNull(buffer, nameof(buffer)).Use(Operations.StreamWriteValue32);
        CuprumNative.cuprum_stream_write_value32(Use(Operations.StreamWriteValue32), words, offset, value);
    }

    /// <summary>Makes later work wait until the 8 bytes at byte <paramref name="offset"/> of the buffer fulfil the
    /// condition, whoever writes them: the CPU, a kernel, another stream or another device.</summary>
    /// <param name="buffer">Must live until the stream has passed this.</param>
    /// <param name="offset">Bytes.</param>
    /// <param name="value">To compare with.</param>
    /// <param name="condition">How.</param>
    /// <param name="flush">What other devices have written before is then visible, too, where the device can do that.
    /// </param>
    /// <exception cref="InvalidArgumentException">The address is not aligned to 8 bytes, or not inside of the buffer.
    /// </exception>
    public void WaitValue64(Buffer buffer, ulong offset, ulong value,
                            WaitCondition condition = WaitCondition.GreaterOrEqual, bool flush = false) {
        NativeHandle words = Require.NotNull(buffer, nameof(buffer)).Use(Operations.StreamWaitValue64);
        CuprumNative.cuprum_stream_wait_value64(Use(Operations.StreamWaitValue64), words, offset, value, (int)condition,
                                                flush ? 1 : 0);
    }

    /// <summary>Writes the 8 bytes at byte <paramref name="offset"/> of the buffer after all work so far. What
    /// this work wrote is visible first.</summary>
    /// <param name="buffer">Must live until the stream has passed this.</param>
    /// <param name="offset">Bytes.</param>
    /// <param name="value">To write.</param>
    /// <exception cref="InvalidArgumentException">The address is not aligned to 8 bytes, or not inside of the buffer.
    /// </exception>
    public void WriteValue64(Buffer buffer, ulong offset, ulong value) {
        NativeHandle words = Require.NotNull(buffer, nameof(buffer)).Use(Operations.StreamWriteValue64);
        CuprumNative.cuprum_stream_write_value64(Use(Operations.StreamWriteValue64), words, offset, value);
    }

    /// <summary>Whether this object is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>May be called more than once.</summary>
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

    /// <summary>Never throws.</summary>
    internal static void ReportHostFunctionException(Exception error) {
        try {
            EventHandler<UnhandledExceptionEventArgs> handler = HostFunctionException;
            if (handler != null) {
                handler(null, new UnhandledExceptionEventArgs(error, false));
            }
        } catch (Exception) {
            // A handler's own: nobody is left to tell.
        }
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
