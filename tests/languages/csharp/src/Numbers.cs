using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum;

/// <summary>
/// What the numbers of a type and the well-known operators are, written down once more: elements are longs, which every
/// integer of the type is, and of which the floating-point ones are so small that all results are exact.
/// </summary>
public sealed class Numbers<T> where T : struct {
    private readonly Func<long, T> make;
    private readonly Func<T, long> read;
    private readonly bool isUnsigned64;

    public Numbers(Func<long, T> make, Func<T, long> read) {
        this.make = make;
        this.read = read;
        isUnsigned64 = typeof(T) == typeof(ulong);
        IsNarrow = typeof(T) == typeof(Float16) || typeof(T) == typeof(BFloat16);
        IsFloating = IsNarrow || typeof(T) == typeof(float) || typeof(T) == typeof(double);
    }

    public bool IsFloating { get; }

    /// <summary>8 bits of mantissa are enough for what a few elements give.</summary>
    public bool IsNarrow { get; }

    public T Make(long number) {
        return make(number);
    }

    public T[] Make(IEnumerable<long> numbers) {
        return numbers.Select(make).ToArray();
    }

    public long Read(T value) {
        return read(value);
    }

    public long[] Read(IEnumerable<T> values) {
        return values.Select(read).ToArray();
    }

    /// <summary>The number with the same lowest bits.</summary>
    private long Wrap(long number) {
        return IsFloating ? number : read(make(number));
    }

    public int Compare(long a, long b) {
        return isUnsigned64 ? ((ulong)a).CompareTo((ulong)b) : a.CompareTo(b);
    }

    public Func<long, long, long> Operator(string name) {
        switch (name) {
            case "plus": return (a, b) => Wrap(a + b);
            case "minus": return (a, b) => Wrap(a - b);
            case "multiplies": return (a, b) => Wrap(a * b);
            case "minimum": return (a, b) => Compare(b, a) < 0 ? b : a;
            case "maximum": return (a, b) => Compare(a, b) < 0 ? b : a;
            case "bit_and": return (a, b) => a & b;
            case "bit_or": return (a, b) => a | b;
            case "bit_xor": return (a, b) => a ^ b;
            case "logical_and": return (a, b) => a != 0 && b != 0 ? 1 : 0;
            case "logical_or": return (a, b) => a != 0 || b != 0 ? 1 : 0;
            default: throw new ArgumentException(name);
        }
    }

    public string[] AssociativeOperators {
        get {
            var names = new[] { "plus", "multiplies", "minimum", "maximum", "logical_and", "logical_or" };
            return IsFloating ? names : names.Concat(new[] { "bit_and", "bit_or", "bit_xor" }).ToArray();
        }
    }

    /// <summary>So many elements, with which the operator is exact.</summary>
    public long[] Random(Random random, int count, string op) {
        var bytes = new byte[8];
        return Enumerable.Range(0, count).Select(i => {
            if (IsFloating) {
                return op == "multiplies" ? 2 * random.Next(2) - 1 : random.Next(-3, 4);
            }
            random.NextBytes(bytes);
            return Wrap(BitConverter.ToInt64(bytes, 0));
        }).ToArray();
    }

    public override string ToString() {
        return typeof(T).Name;
    }
}
