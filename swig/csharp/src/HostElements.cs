using System;

namespace Cuprum {

/// <summary>
/// Elements in host memory for the algorithms of <see cref="OutOfCore"/>, of any size: an array, or a
/// <see cref="Buffer"/> that the host can use, best page-locked. Both convert to it, and <c>default</c> is none. An array
/// is pinned, and a buffer stays allocated, until the call has returned.
/// </summary>
public struct HostElements<T> where T : struct {
    private readonly T[] array;
    private readonly Buffer buffer;

    private HostElements(T[] array, Buffer buffer) {
        this.array = array;
        this.buffer = buffer;
    }

    /// <summary>The elements of an array, which is not copied.</summary>
    public static implicit operator HostElements<T>(T[] array) {
        return new HostElements<T>(Require.NotNull(array, nameof(array)), null);
    }

    /// <summary>As many elements as the buffer has.</summary>
    public static implicit operator HostElements<T>(Buffer buffer) {
        return new HostElements<T>(null, Require.NotNull(buffer, nameof(buffer)));
    }

    internal OpenHostElements<T> Open() {
        if (array != null) {
            return new OpenHostElements<T>(new PinnedValue<T>(array));
        }
        return buffer != null ? new OpenHostElements<T>(buffer.AsHostMemory()) : default(OpenHostElements<T>);
    }
}

/// <summary>Where C can read and write them until it is disposed of.</summary>
internal struct OpenHostElements<T> : IDisposable where T : struct {
    private readonly PinnedValue<T> pinned;
    private readonly bool isPinned;
    private readonly HostMemoryView view;

    public OpenHostElements(PinnedValue<T> pinned) {
        this.pinned = pinned;
        isPinned = true;
        view = null;
    }

    public OpenHostElements(HostMemoryView view) {
        this.view = view;
        isPinned = false;
        pinned = default(PinnedValue<T>);
    }

    public IntPtr Address { get { return isPinned ? pinned.Address : view != null ? view.Address : IntPtr.Zero; } }

    /// <summary>The size in bytes, of whole elements.</summary>
    public ulong Size {
        get {
            return isPinned ? pinned.Size
                : view != null ? view.Size / ArrayElement<T>.Size * ArrayElement<T>.Size : 0;
        }
    }

    public void Dispose() {
        if (isPinned) {
            pinned.Dispose();
        } else if (view != null) {
            view.Dispose();
        }
    }
}

}
