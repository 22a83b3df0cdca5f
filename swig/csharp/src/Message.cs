using System;

namespace Cuprum {

/// <summary>What one rank of a <see cref="Communicator"/> sends to another, or keeps: memory of the one's device, to memory
/// of the other's. The side of a rank of another process is not used. Immutable.</summary>
public sealed class Message {
    /// <summary>All of a buffer, from its beginning to that of another.</summary>
    /// <param name="from">The rank that sends.</param>
    /// <param name="to">The rank that gets it.</param>
    /// <param name="source">Where the bytes are; null where the rank is of another process.</param>
    /// <param name="destination">Where they go, with as many bytes; null where the rank is of another process.</param>
    public Message(uint from, uint to, Buffer source, Buffer destination)
        : this(from, to, source, 0, destination, 0, SizeOf(source, destination)) {}

    /// <summary>A part of a buffer, to a part of another.</summary>
    /// <param name="from">The rank that sends.</param>
    /// <param name="to">The rank that gets it.</param>
    /// <param name="source">Where the bytes are; null where the rank is of another process.</param>
    /// <param name="sourceOffset">The first byte of it.</param>
    /// <param name="destination">Where they go; null where the rank is of another process.</param>
    /// <param name="destinationOffset">The first byte of it.</param>
    /// <param name="size">Bytes.</param>
    public Message(uint from, uint to, Buffer source, ulong sourceOffset, Buffer destination, ulong destinationOffset,
                   ulong size) {
        From = from;
        To = to;
        Source = source;
        SourceOffset = sourceOffset;
        Destination = destination;
        DestinationOffset = destinationOffset;
        Size = size;
    }

    /// <summary>The rank that sends.</summary>
    public uint From { get; }

    /// <summary>The rank that gets it.</summary>
    public uint To { get; }

    /// <summary>Where the bytes are; null where the rank is of another process.</summary>
    public Buffer Source { get; }

    /// <summary>The first byte of it.</summary>
    public ulong SourceOffset { get; }

    /// <summary>Where they go; null where the rank is of another process.</summary>
    public Buffer Destination { get; }

    /// <summary>The first byte of it.</summary>
    public ulong DestinationOffset { get; }

    /// <summary>Bytes.</summary>
    public ulong Size { get; }

    private static ulong SizeOf(Buffer source, Buffer destination) {
        if (source != null && destination != null && source.Size != destination.Size) {
            throw new ArgumentException("the source of a message has " + source.Size + " bytes, and the destination " +
                                        destination.Size);
        }
        return source != null ? source.Size : destination != null ? destination.Size : 0;
    }
}

}
