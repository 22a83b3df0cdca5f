namespace Cuprum {

/// <summary>
/// A device, and the part of its memory that a call of an algorithm of <see cref="OutOfCore"/> may take: the elements go
/// through it in pieces, and may be many times as large. A call allocates what it needs once, when it begins, and frees
/// it when it ends. Where an algorithm gets several of these, of different devices, the pieces are dealt to them, and all
/// work at once.
/// </summary>
public sealed class DeviceMemory {
    /// <summary>A part of a device's memory.</summary>
    /// <param name="device">The device.</param>
    /// <param name="limit">Bytes; 0: seven eighths of what is free when a call begins.</param>
    /// <param name="resource">Memory of the device; null for what the device allocates from in a stream.</param>
    public DeviceMemory(Device device, ulong limit, MemoryResource resource = null) {
        Device = Require.NotNull(device, nameof(device));
        Limit = limit;
        Resource = resource;
    }

    /// <summary>The device.</summary>
    public Device Device { get; }

    /// <summary>Bytes; 0: seven eighths of what is free when a call begins.</summary>
    public ulong Limit { get; }

    /// <summary>Where it comes from; null for what the device allocates from in a stream.</summary>
    public MemoryResource Resource { get; }
}

}
