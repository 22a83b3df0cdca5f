using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>Which of the device's domains a kernel's memory fences wait for: a fence in one does not wait for writes in the
/// other (compute capability 9.0).</summary>
public enum MemorySyncDomain {
    /// <summary>The domain of kernels that do not choose one.</summary>
    Default = CuprumNative.CUPRUM_MEMORY_SYNC_DOMAIN_DEFAULT,
    /// <summary>The other domain.</summary>
    Remote = CuprumNative.CUPRUM_MEMORY_SYNC_DOMAIN_REMOTE
}

/// <summary>The hardware domain of the device that each <see cref="MemorySyncDomain"/> stands for, counted from
/// 0.</summary>
public struct MemorySyncDomainMap {
    /// <summary>Refuses negative numbers; the launch checks that the device has the domains.</summary>
    public MemorySyncDomainMap(int @default, int remote) {
        if (@default < 0 || remote < 0) {
            throw new ArgumentOutOfRangeException(
                nameof(remote), "memory synchronisation domains are counted from 0: " + @default + ", " + remote);
        }
        Default = @default;
        Remote = remote;
    }

    /// <summary>The hardware domain of <see cref="MemorySyncDomain.Default"/>.</summary>
    public int Default { get; }

    /// <summary>The hardware domain of <see cref="MemorySyncDomain.Remote"/>.</summary>
    public int Remote { get; }
}

/// <summary>How long data that a kernel accesses stays in the L2 cache.</summary>
public enum AccessProperty {
    /// <summary>The default.</summary>
    Normal = CuprumNative.CUPRUM_ACCESS_NORMAL,
    /// <summary>Shorter: the data is evicted first.</summary>
    Streaming = CuprumNative.CUPRUM_ACCESS_STREAMING,
    /// <summary>Longer: the data is evicted last.</summary>
    Persisting = CuprumNative.CUPRUM_ACCESS_PERSISTING
}

/// <summary>How the L2 cache treats a kernel's accesses to one range of device memory. Immutable.</summary>
public sealed class AccessPolicyWindow {
    /// <param name="address">The address of the range.</param>
    /// <param name="size">The size in bytes, at least 1.</param>
    /// <param name="hitRatio">The fraction of the accesses, 0 to 1, that <paramref name="hit"/> applies to.</param>
    /// <param name="hit">How those accesses are cached.</param>
    /// <param name="miss">How all other accesses are cached; cannot be persisting.</param>
    public AccessPolicyWindow(ulong address, ulong size, float hitRatio = 1,
                              AccessProperty hit = AccessProperty.Persisting,
                              AccessProperty miss = AccessProperty.Streaming) {
        if (size == 0) {
            throw new ArgumentOutOfRangeException(
                nameof(size), "an access policy window of 0 bytes; leave it out instead");
        }
        Address = address;
        Size = size;
        HitRatio = hitRatio;
        Hit = hit;
        Miss = miss;
    }

    /// <summary>The address of the range.</summary>
    public ulong Address { get; }

    /// <summary>The size in bytes.</summary>
    public ulong Size { get; }

    /// <summary>The fraction of the accesses, 0 to 1, that <see cref="Hit"/> applies to.</summary>
    public float HitRatio { get; }

    /// <summary>How those accesses are cached.</summary>
    public AccessProperty Hit { get; }

    /// <summary>How all other accesses are cached.</summary>
    public AccessProperty Miss { get; }
}

}
