using System;
using C = Cuprum.Native.CuprumNative;

namespace Cuprum {

/// <summary>Where memory is, or should be: a device, or host memory, all of it or one NUMA node's.</summary>
public sealed class MemoryLocation : IEquatable<MemoryLocation> {
    private MemoryLocation(int kind, int id) {
        Kind = kind;
        Id = id;
    }

    /// <summary>Host memory, wherever the system puts it.</summary>
    public static MemoryLocation Host { get { return new MemoryLocation(C.CUPRUM_LOCATION_HOST, 0); } }

    /// <summary>The memory of the NUMA node of the thread that passes it to the driver.</summary>
    public static MemoryLocation HostNumaCurrent {
        get { return new MemoryLocation(C.CUPRUM_LOCATION_HOST_NUMA_CURRENT, 0); }
    }

    /// <summary>The memory of a NUMA node.</summary>
    /// <param name="node">The node's number, counted from 0.</param>
    public static MemoryLocation HostNuma(int node) {
        if (node < 0) {
            throw new ArgumentOutOfRangeException(nameof(node), "the numbers of NUMA nodes begin at 0: " + node);
        }
        return new MemoryLocation(C.CUPRUM_LOCATION_HOST_NUMA, node);
    }

    /// <summary>A device's memory.</summary>
    public static implicit operator MemoryLocation(Device device) {
        return new MemoryLocation(C.CUPRUM_LOCATION_DEVICE, Require.NotNull(device, nameof(device)).DeviceId);
    }

    /// <summary>The location with these numbers of the C ABI; null for none.</summary>
    internal static MemoryLocation OfNumbers(int kind, int id) {
        if (kind == C.CUPRUM_LOCATION_NONE) {
            return null;
        }
        return new MemoryLocation(kind, kind == C.CUPRUM_LOCATION_HOST ? 0 : id);
    }

    /// <summary>CUPRUM_LOCATION_* of a location that may be null.</summary>
    internal static int KindOf(MemoryLocation location) {
        return location == null ? C.CUPRUM_LOCATION_NONE : location.Kind;
    }

    /// <summary>The ordinal or the node of a location that may be null.</summary>
    internal static int IdOf(MemoryLocation location) {
        return location == null ? 0 : location.Id;
    }

    private int Kind { get; }
    private int Id { get; }

    /// <summary>Whether both are the same location.</summary>
    public bool Equals(MemoryLocation other) {
        return !ReferenceEquals(other, null) && other.Kind == Kind && other.Id == Id;
    }

    /// <summary>Whether both are the same location.</summary>
    public override bool Equals(object other) {
        return Equals(other as MemoryLocation);
    }

    /// <summary>The hash code; equal for the same location.</summary>
    public override int GetHashCode() {
        return Kind * 31 + Id;
    }

    /// <summary>"Device 0", "host memory"</summary>
    public override string ToString() {
        switch (Kind) {
            case C.CUPRUM_LOCATION_DEVICE:
                return "Device " + Id;
            case C.CUPRUM_LOCATION_HOST:
                return "host memory";
            case C.CUPRUM_LOCATION_HOST_NUMA:
                return "NUMA node " + Id;
            default:
                return "the current NUMA node";
        }
    }
}

}
