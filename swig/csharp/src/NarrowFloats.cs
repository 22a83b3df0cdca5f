using System;
using System.Globalization;

namespace Cuprum {

/// <summary>An IEEE half, as an element of the parallel algorithms.</summary>
public struct Float16 : IEquatable<Float16> {
    private readonly ushort bits;

    private Float16(ushort bits) {
        this.bits = bits;
    }

    /// <summary>The half with these bits.</summary>
    public static Float16 FromBits(ushort bits) {
        return new Float16(bits);
    }

    /// <summary>The bits.</summary>
    public ushort Bits { get { return bits; } }

    /// <summary>The nearest number; ties go to the even neighbour.</summary>
    public static explicit operator Float16(float value) {
        int sign = (int)(SingleBits.Of(value) >> 16) & 0x8000;
        if (float.IsNaN(value)) {
            return new Float16((ushort)(sign | 0x7E00));
        }
        double magnitude = Math.Abs(value);
        if (magnitude >= 65520) {    // halfway between the largest half and what would be the next
            return new Float16((ushort)(sign | 0x7C00));
        }
        int exponent = Math.Max((int)(SingleBits.Of((float)magnitude) >> 23) - 127, -14);
        // In units of the half's last place there: at most 2^11. Exact, both being powers of two. A carry into the next
        // exponent, or from the denormals into the first normal, comes out of the addition.
        int units = (int)Math.Round(magnitude * Math.Pow(2, 10 - exponent), MidpointRounding.ToEven);
        return new Float16((ushort)(sign | (units + ((exponent + 14) << 10))));
    }

    /// <summary>The same number, exactly.</summary>
    public static implicit operator float(Float16 value) {
        int exponent = (value.bits >> 10) & 0x1F;
        int mantissa = value.bits & 0x3FF;
        double magnitude = exponent == 0x1F ? (mantissa == 0 ? double.PositiveInfinity : double.NaN)
            : exponent == 0 ? mantissa * Math.Pow(2, -24) : (mantissa + 1024) * Math.Pow(2, exponent - 25);
        return (float)((value.bits & 0x8000) != 0 ? -magnitude : magnitude);
    }

    /// <summary>Whether the bits are the same.</summary>
    public bool Equals(Float16 other) { return bits == other.bits; }
    /// <summary>Whether the bits are the same.</summary>
    public override bool Equals(object other) { return other is Float16 && Equals((Float16)other); }
    /// <summary>The hash code of the bits.</summary>
    public override int GetHashCode() { return bits; }
    /// <summary>The number as text.</summary>
    public override string ToString() { return ((float)this).ToString(CultureInfo.InvariantCulture); }
}

/// <summary>The upper half of a float, as an element of the parallel algorithms.</summary>
public struct BFloat16 : IEquatable<BFloat16> {
    private readonly ushort bits;

    private BFloat16(ushort bits) {
        this.bits = bits;
    }

    /// <summary>The number with these bits.</summary>
    public static BFloat16 FromBits(ushort bits) {
        return new BFloat16(bits);
    }

    /// <summary>The bits.</summary>
    public ushort Bits { get { return bits; } }

    /// <summary>The nearest number; ties go to the even neighbour.</summary>
    public static explicit operator BFloat16(float value) {
        uint single = SingleBits.Of(value);
        if (float.IsNaN(value)) {
            return new BFloat16((ushort)((single >> 16) | 0x40));    // quiet, so that its mantissa stays
        }
        return new BFloat16((ushort)((single + 0x7FFF + ((single >> 16) & 1)) >> 16));
    }

    /// <summary>The same number, exactly.</summary>
    public static implicit operator float(BFloat16 value) {
        return SingleBits.ToSingle((uint)value.bits << 16);
    }

    /// <summary>Whether the bits are the same.</summary>
    public bool Equals(BFloat16 other) { return bits == other.bits; }
    /// <summary>Whether the bits are the same.</summary>
    public override bool Equals(object other) { return other is BFloat16 && Equals((BFloat16)other); }
    /// <summary>The hash code of the bits.</summary>
    public override int GetHashCode() { return bits; }
    /// <summary>The number as text.</summary>
    public override string ToString() { return ((float)this).ToString(CultureInfo.InvariantCulture); }
}

/// <summary>A complex number of two floats; System.Numerics.Complex is one of two doubles.</summary>
public struct Complex64 {
    /// <summary>The number with these parts.</summary>
    public Complex64(float real, float imaginary) {
        Real = real;
        Imaginary = imaginary;
    }

    /// <summary>The real part.</summary>
    public readonly float Real;
    /// <summary>The imaginary part.</summary>
    public readonly float Imaginary;
}

internal static unsafe class SingleBits {
    public static uint Of(float value) {
        return *(uint*)&value;
    }

    public static float ToSingle(uint bits) {
        return *(float*)&bits;
    }
}

}
