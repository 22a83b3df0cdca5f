using System;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// A point in a stream's work. Made by <see cref="Device.CreateEvent"/> and <see cref="Stream.Record(EventOptions)"/>.
/// </summary>
public sealed partial class Event : IDisposable {
    private readonly NativeHandle handle;

    internal Event(IntPtr handle, bool isTimingEnabled, bool isBlockingSync, bool isIpcEnabled) {
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_event);
        IsTimingEnabled = isTimingEnabled;
        IsBlockingSync = isBlockingSync;
        IsIpcEnabled = isIpcEnabled;
    }

    /// <summary>Whether the event can be used in <see cref="ElapsedTime"/>.</summary>
    public bool IsTimingEnabled { get; }

    /// <summary>Whether waiting for the event sleeps instead of spinning.</summary>
    public bool IsBlockingSync { get; }

    /// <summary>Whether it can be shared with other processes.</summary>
    public bool IsIpcEnabled { get; }

    /// <summary>The context that it was made in: its device's primary context; the caller disposes of it.</summary>
    public Context Context { get { return Device.Context; } }

    /// <summary>What another process opens the event with: 64 bytes.</summary>
    /// <exception cref="InvalidStateException">The event was made without IPC.</exception>
    public byte[] IpcHandle() {
        IntPtr bytes;
        ulong size;
        CuprumNative.cuprum_event_ipc_handle(out bytes, out size, Use(Operations.EventIpcHandle));
        var copy = new byte[checked((int)size)];
        Marshal.Copy(bytes, copy, 0, copy.Length);
        return copy;
    }

    /// <summary>Opens the event that another process shares; the caller disposes of it. It goes on when its maker has
    /// closed it.</summary>
    /// <param name="device">For whose work.</param>
    /// <param name="ipcHandle">What <see cref="IpcHandle"/> gave there.</param>
    /// <param name="blockingSync">Waiting for it sleeps instead of spinning.</param>
    /// <exception cref="DriverException">This process itself has made the event.</exception>
    public static Event FromIpcHandle(Device device, byte[] ipcHandle, bool blockingSync = false) {
        Require.NotNull(device, nameof(device));
        GCHandle pin = GCHandle.Alloc(Require.NotNull(ipcHandle, nameof(ipcHandle)), GCHandleType.Pinned);
        try {
            IntPtr opened;
            CuprumNative.cuprum_event_from_ipc_handle(out opened, device.DeviceId, pin.AddrOfPinnedObject(),
                                                      (ulong)ipcHandle.Length, blockingSync ? 1 : 0);
            return new Event(opened, false, blockingSync, true);
        } finally {
            pin.Free();
        }
    }

    /// <summary>Milliseconds from <paramref name="start"/> to <paramref name="end"/>.</summary>
    /// <exception cref="InvalidStateException">One of the events was made without timing or was never
    /// recorded.</exception>
    /// <exception cref="NotReadyException">One of the events is not yet complete.</exception>
    public static float ElapsedTime(Event start, Event end) {
        const string operation = Operations.EventElapsedTime;
        float milliseconds;
        CuprumNative.cuprum_event_elapsed_time(out milliseconds, Require.NotNull(start, nameof(start)).Use(operation),
                                                Require.NotNull(end, nameof(end)).Use(operation));
        return milliseconds;
    }

    /// <summary>Milliseconds from <paramref name="start"/> to <paramref name="end"/>; see <see cref="ElapsedTime"/>.
    /// </summary>
    public static float operator -(Event end, Event start) {
        return ElapsedTime(start, end);
    }

    /// <summary>Whether this object is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Names the event.</summary>
    public override string ToString() {
        return "Event " + handle.Value.ToString("x");
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
