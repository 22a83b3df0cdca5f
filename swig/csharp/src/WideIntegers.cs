using System;
using System.Numerics;

namespace Cuprum {

/// <summary>
/// A signed integer of 128 bits, as an element of the parallel algorithms. .NET's own System.Int128 is one too, where
/// the framework has it. On the host's cores its memory has to be aligned to 16 bytes: spans over native memory are,
/// managed arrays may not be.
/// </summary>
public struct Integer128 : IEquatable<Integer128> {
    private readonly ulong low;
    private readonly long high;

    private Integer128(ulong low, long high) {
        this.low = low;
        this.high = high;
    }

    /// <summary>The same number. OverflowException for what has more than 128 bits.</summary>
    public static explicit operator Integer128(BigInteger value) {
        BigInteger high = value >> 64;
        return new Integer128((ulong)(value & ulong.MaxValue), (long)high);
    }

    /// <summary>The same number.</summary>
    public static implicit operator Integer128(long value) {
        return new Integer128((ulong)value, value < 0 ? -1 : 0);
    }

    /// <summary>The same number.</summary>
    public static implicit operator BigInteger(Integer128 value) {
        return ((BigInteger)value.high << 64) + value.low;
    }

    /// <summary>Whether the numbers are the same.</summary>
    public bool Equals(Integer128 other) { return low == other.low && high == other.high; }
    /// <summary>Whether the numbers are the same.</summary>
    public override bool Equals(object other) { return other is Integer128 && Equals((Integer128)other); }
    /// <summary>The hash code of the bits.</summary>
    public override int GetHashCode() { return low.GetHashCode() ^ high.GetHashCode() * 31; }
    /// <summary>The number as text.</summary>
    public override string ToString() { return ((BigInteger)this).ToString(); }
}

/// <summary>
/// An unsigned integer of 128 bits, as an element of the parallel algorithms. .NET's own System.UInt128 is one too, where
/// the framework has it. On the host's cores its memory has to be aligned to 16 bytes: spans over native memory are,
/// managed arrays may not be.
/// </summary>
public struct UnsignedInteger128 : IEquatable<UnsignedInteger128> {
    private readonly ulong low;
    private readonly ulong high;

    private UnsignedInteger128(ulong low, ulong high) {
        this.low = low;
        this.high = high;
    }

    /// <summary>The same number. OverflowException for what is negative or has more than 128 bits.</summary>
    public static explicit operator UnsignedInteger128(BigInteger value) {
        return new UnsignedInteger128((ulong)(value & ulong.MaxValue), (ulong)(value >> 64));
    }

    /// <summary>The same number.</summary>
    public static implicit operator UnsignedInteger128(ulong value) {
        return new UnsignedInteger128(value, 0);
    }

    /// <summary>The same number.</summary>
    public static implicit operator BigInteger(UnsignedInteger128 value) {
        return ((BigInteger)value.high << 64) + value.low;
    }

    /// <summary>Whether the numbers are the same.</summary>
    public bool Equals(UnsignedInteger128 other) { return low == other.low && high == other.high; }
    /// <summary>Whether the numbers are the same.</summary>
    public override bool Equals(object other) { return other is UnsignedInteger128 && Equals((UnsignedInteger128)other); }
    /// <summary>The hash code of the bits.</summary>
    public override int GetHashCode() { return low.GetHashCode() ^ high.GetHashCode() * 31; }
    /// <summary>The number as text.</summary>
    public override string ToString() { return ((BigInteger)this).ToString(); }
}

}
