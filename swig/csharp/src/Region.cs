using System;

namespace Cuprum {

/// <summary>Rows of bytes at a distance from each other, within a buffer or host memory: a part of a matrix or of a
/// volume. Immutable.</summary>
/// <remarks>Rows must not overlap one another, and neither must slices.</remarks>
public sealed class Region : IEquatable<Region> {
    /// <param name="width">Bytes in a row, at least 1.</param>
    /// <param name="height">Rows in a slice, at least 1.</param>
    /// <param name="depth">Slices, at least 1.</param>
    /// <param name="offset">Bytes from the start of the memory to the first row.</param>
    /// <param name="rowPitch">Bytes from the start of a row to the start of the next; 0 for the width.</param>
    /// <param name="slicePitch">Bytes from the start of a slice to the start of the next; 0 for height times row
    /// pitch.</param>
    public Region(ulong width, ulong height = 1, ulong depth = 1, ulong offset = 0, ulong rowPitch = 0,
                  ulong slicePitch = 0) {
        Width = width;
        Height = height;
        Depth = depth;
        Offset = offset;
        RowPitch = rowPitch;
        SlicePitch = slicePitch;
    }

    /// <summary>Bytes in a row.</summary>
    public ulong Width { get; }

    /// <summary>Rows in a slice.</summary>
    public ulong Height { get; }

    /// <summary>Slices.</summary>
    public ulong Depth { get; }

    /// <summary>Bytes from the start of the memory to the first row.</summary>
    public ulong Offset { get; }

    /// <summary>Bytes from the start of a row to the start of the next; 0 for the width.</summary>
    public ulong RowPitch { get; }

    /// <summary>Bytes from the start of a slice to the start of the next; 0 for height times row pitch.</summary>
    public ulong SlicePitch { get; }

    /// <summary>A region of the same shape at the start of its memory, without gaps.</summary>
    public Region Packed() {
        return new Region(Width, Height, Depth);
    }

    /// <summary>Whether all numbers are the same.</summary>
    public bool Equals(Region other) {
        return !ReferenceEquals(other, null) && Width == other.Width && Height == other.Height && Depth == other.Depth &&
            Offset == other.Offset && RowPitch == other.RowPitch && SlicePitch == other.SlicePitch;
    }

    /// <summary>Whether it is a region with the same numbers.</summary>
    public override bool Equals(object other) {
        return Equals(other as Region);
    }

    /// <summary>The same for equal regions.</summary>
    public override int GetHashCode() {
        return ((((Width * 31 + Height) * 31 + Depth) * 31 + Offset) * 31 + RowPitch * 7 + SlicePitch).GetHashCode();
    }

    /// <summary>The numbers.</summary>
    public override string ToString() {
        return "Region (" + Width + " bytes x " + Height + " x " + Depth + " at " + Offset + ", pitches " + RowPitch +
            ", " + SlicePitch + ")";
    }
}

}
