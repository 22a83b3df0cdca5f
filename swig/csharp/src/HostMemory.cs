using System;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum.Native {

/// <summary>A native iterator, and the array that it reads, pinned for as long as the iterator is there.</summary>
internal sealed class IteratorHandle : NativeHandle {
    private GCHandle pin;

    /// <summary>Takes both over; the default of <paramref name="pin"/> is none.</summary>
    public IteratorHandle(IntPtr value, GCHandle pin) : base(value, CuprumNative.cuprum_release_parallel_iterator) {
        this.pin = pin;
    }

    protected override bool ReleaseHandle() {
        bool released = base.ReleaseHandle();
        if (pin.IsAllocated) {
            pin.Free();
        }
        return released;
    }
}

}

namespace Cuprum {

/// <summary>An array or a span that stays where it is during one call on the host (<see cref="Execution.Host"/>).</summary>
internal struct HostMemory {
    public HostMemory(IntPtr address, ulong count) {
        Address = (ulong)address.ToInt64();
        Count = count;
    }

    public ulong Address { get; }

    /// <summary>Elements.</summary>
    public ulong Count { get; }

    public static HostMemory Of<T>(PinnedValue<T> pinned) where T : struct {
        return new HostMemory(pinned.Address, pinned.Size / ArrayElement<T>.Size);
    }

    /// <summary>Its address, where it has at least so many elements.</summary>
    public ulong For(string operation, string name, ulong count) {
        if (count > Count) {
            throw Errors.InvalidArgument(name, operation, "has " + Count + " elements, expected " + count);
        }
        return Address;
    }
}

}
