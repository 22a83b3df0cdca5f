using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// A point in a stream's work. Made by <see cref="Device.CreateEvent"/> and <see cref="Stream.Record(EventOptions)"/>.
/// </summary>
public sealed partial class Event : IDisposable {
    private readonly NativeHandle handle;

    internal Event(IntPtr handle, bool isTimingEnabled, bool isBlockingSync) {
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_event);
        IsTimingEnabled = isTimingEnabled;
        IsBlockingSync = isBlockingSync;
    }

    /// <summary>Whether it can be used in <see cref="ElapsedTime"/>.</summary>
    public bool IsTimingEnabled { get; }

    /// <summary>Whether waiting for it sleeps.</summary>
    public bool IsBlockingSync { get; }

    /// <summary>Milliseconds from <paramref name="start"/> to <paramref name="end"/>.</summary>
    /// <exception cref="InvalidStateException">Either was made without timing or was never recorded.</exception>
    /// <exception cref="NotReadyException">Either has not happened yet.</exception>
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

    /// <summary>Whether it is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>Idempotent.</summary>
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
