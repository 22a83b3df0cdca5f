using System;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

/// <summary>The memory of a buffer as the host reads and writes it; made by <see cref="Buffer.AsHostMemory"/>.</summary>
/// <remarks>The memory stays valid until the view is disposed of: do not use a pointer to it or a span of it after
/// that.
/// </remarks>
public sealed partial class HostMemoryView : IDisposable {
    private readonly ViewHandle handle;

    internal HostMemoryView(NativeHandle buffer, ulong address, ulong size) {
        handle = new ViewHandle(buffer, (IntPtr)(long)address);
        Size = size;
    }

    /// <summary>The size in bytes.</summary>
    public ulong Size { get; }

    /// <summary>The memory's address; zero if it has no bytes.</summary>
    /// <exception cref="InvalidStateException">The view is closed.</exception>
    public IntPtr Address {
        get {
            if (handle.IsClosed) {
                throw Errors.Closed(this, Operations.BufferHostAddress);
            }
            return handle.DangerousGetHandle();
        }
    }

    /// <summary>Whether this object is closed.</summary>
    public bool IsClosed { get { return handle.IsClosed; } }

    /// <summary>May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Says how much memory it is.</summary>
    public override string ToString() {
        return "HostMemoryView of " + Size + " bytes";
    }

    /// <summary>Counts as a user of the buffer's handle, which is not released before its last user is gone.</summary>
    private sealed class ViewHandle : SafeHandle {
        private readonly NativeHandle buffer;

        public ViewHandle(NativeHandle buffer, IntPtr address) : base(IntPtr.Zero, true) {
            bool isAdded = false;
            try {
                buffer.DangerousAddRef(ref isAdded);
                buffer.AddViews(1);
                this.buffer = buffer;
                SetHandle(address);
            } finally {
                if (!isAdded) {
                    SetHandleAsInvalid();
                }
            }
        }

        public override bool IsInvalid {
            get { return buffer == null; }
        }

        protected override bool ReleaseHandle() {
            buffer.AddViews(-1);
            buffer.DangerousRelease();
            return true;
        }
    }
}

}
