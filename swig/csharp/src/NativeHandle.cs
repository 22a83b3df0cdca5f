using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Cuprum.Native {

/// <summary>
/// A handle of the C ABI that is destroyed exactly once: when it is disposed of, or some time after it has become
/// unreachable, and no call uses it any more.
/// </summary>
internal class NativeHandle : SafeHandle {
    /// <summary>Stands for no handle where one is optional.</summary>
    public static readonly NativeHandle None = new NativeHandle(IntPtr.Zero, value => {});

    private readonly Action<ulong> destroy;
    private volatile bool isDisposed;
    private int views;

    /// <summary>Takes <paramref name="value"/> over. <paramref name="destroy"/> gets it once, on any thread.</summary>
    public NativeHandle(IntPtr value, Action<ulong> destroy) : base(IntPtr.Zero, true) {
        this.destroy = destroy;
        SetHandle(value);
    }

    public override bool IsInvalid {
        get { return handle == IntPtr.Zero; }
    }

    /// <summary>The handle's number; the caller keeps its owner alive.</summary>
    public ulong Value {
        get { return (ulong)handle.ToInt64(); }
    }

    /// <summary>How many there are, and the handles themselves, for C; the caller keeps them alive.</summary>
    public static IntPtr[] Pack(NativeHandle[] handles) {
        var packed = new IntPtr[handles.Length + 1];
        packed[0] = new IntPtr(handles.Length);
        for (int i = 0; i < handles.Length; ++i) {
            packed[i + 1] = handles[i].handle;
        }
        return packed;
    }

    /// <summary>
    /// Whether Dispose has been called. IsClosed turns true only when no call uses the handle any more, and as long as
    /// calls overlap it never does.
    /// </summary>
    public bool IsDisposed {
        get { return isDisposed; }
    }

    /// <summary>Whether memory of the buffer is viewed as the host's.</summary>
    public bool HasViews {
        get { return Volatile.Read(ref views) != 0; }
    }

    /// <summary>One view more, or one less.</summary>
    public void AddViews(int number) {
        Interlocked.Add(ref views, number);
    }

    protected override void Dispose(bool disposing) {
        isDisposed = true;
        base.Dispose(disposing);
    }

    /// <summary>
    /// The process is ending, and its resources go with it. Mono finalizes objects then, .NET does not; releasing one
    /// may mean waiting for a kernel that never ends.
    /// </summary>
    protected static bool GoesWithTheProcess {
        get { return Environment.HasShutdownStarted; }
    }

    protected override bool ReleaseHandle() {
        if (GoesWithTheProcess) {
            return true;
        }
        try {
            destroy(Value);
            return true;
        } catch (CuprumException) {
            return false;    // neither Dispose nor the garbage collector can report a failure
        }
    }
}

/// <summary>
/// A stream, and the host memory that copies in it may still read or write. That memory stays pinned until the stream
/// is known to have passed it; destroying the stream waits for that.
/// </summary>
internal sealed class StreamHandle : NativeHandle {
    private readonly PinnedMemory pending = new PinnedMemory();

    public StreamHandle(IntPtr value) : base(value, CuprumNative.cuprum_release_stream) {}

    public PinnedMemory Pending {
        get { return pending; }
    }

    protected override bool ReleaseHandle() {
        if (!pending.IsEmpty && !GoesWithTheProcess) {
            // This handle itself can no longer be passed.
            using (var borrowed = new BorrowedHandle(handle)) {
                try {
                    CuprumNative.cuprum_stream_sync(borrowed);
                } catch (CuprumException) {
                    // A fault on the device ends its copies too.
                }
            }
            pending.Passed(pending.Mark);
        }
        return base.ReleaseHandle();
    }

    private sealed class BorrowedHandle : SafeHandle {
        public BorrowedHandle(IntPtr value) : base(IntPtr.Zero, false) {
            SetHandle(value);
        }

        public override bool IsInvalid {
            get { return false; }
        }

        protected override bool ReleaseHandle() {
            return true;
        }
    }
}

}
