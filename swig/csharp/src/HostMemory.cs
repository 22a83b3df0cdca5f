using System;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum.Native {

/// <summary>A native object, and the arrays that it uses, pinned for as long as the object exists.</summary>
internal abstract class PinningHandle : NativeHandle {
    private readonly GCHandle[] pins;

    /// <summary>Takes all over; null for no arrays.</summary>
    protected PinningHandle(IntPtr value, Action<ulong> destroy, GCHandle[] pins) : base(value, destroy) {
        this.pins = pins;
    }

    protected override bool ReleaseHandle() {
        bool released = base.ReleaseHandle();
        // While the process ends, nothing is released, and a device may still use the array.
        if (pins != null && !GoesWithTheProcess) {
            foreach (GCHandle pin in pins) {
                pin.Free();
            }
        }
        return released;
    }
}

/// <summary>A native iterator, and the arrays that it reads or writes.</summary>
internal sealed class IteratorHandle : PinningHandle {
    public IteratorHandle(IntPtr value, GCHandle[] pins)
        : base(value, CuprumNative.cuprum_release_parallel_iterator, pins) {}
}

/// <summary>A buffer, and the array that it has registered.</summary>
internal sealed class RegisteredMemoryHandle : PinningHandle {
    public RegisteredMemoryHandle(IntPtr value, GCHandle pin) : base(value, CuprumNative.cuprum_release_buffer, new[] { pin }) {}
}

}

namespace Cuprum {

/// <summary>An array or a span that stays in place during one call on the host's cores (<see
/// cref="Execution.Host"/>).</summary>
internal struct HostMemory {
    public HostMemory(IntPtr address, ulong count) {
        Address = (ulong)address.ToInt64();
        Count = count;
    }

    public ulong Address { get; }

    /// <summary>The number of elements.</summary>
    public ulong Count { get; }

    public static HostMemory Of<T>(PinnedValue<T> pinned) where T : struct {
        return new HostMemory(pinned.Address, pinned.Size / ArrayElement<T>.Size);
    }

    /// <summary>The memory's address; it must have at least this many elements.</summary>
    public ulong For(string operation, string name, ulong count) {
        if (count > Count) {
            throw Errors.InvalidArgument(name, operation, "has " + Count + " elements, expected " + count);
        }
        return Address;
    }
}

}
