using System;
using System.Runtime.InteropServices;

namespace Cuprum {

/// <summary>The elements of an array, or one value, where C can read and write them until it is disposed of.</summary>
internal struct PinnedValue<T> : IDisposable where T : struct {
    private readonly GCHandle pin;
    private readonly T[] truths;    // an array of bool, which cannot be pinned everywhere
    private readonly byte[] copy;    // of it

    /// <summary>One value, which C only reads. A call has two at most, with places of their own on each thread.</summary>
    public PinnedValue(T value, int place = 0) : this(OneElement<T>.Holding(value, place)) {}

    public PinnedValue(T[] values) {
        truths = null;
        copy = null;
        if (typeof(T) == typeof(bool)) {
            truths = values;
            copy = new byte[values.LongLength];
            System.Buffer.BlockCopy(values, 0, copy, 0, copy.Length);
            Size = (ulong)copy.LongLength;
            pin = GCHandle.Alloc(copy, GCHandleType.Pinned);
        } else {
            Size = ArrayElement<T>.SizeOf(values);
            pin = GCHandle.Alloc(values, GCHandleType.Pinned);
        }
    }

    public IntPtr Address { get { return pin.AddrOfPinnedObject(); } }

    /// <summary>The size in bytes.</summary>
    public ulong Size { get; }

    public void Dispose() {
        pin.Free();
        if (copy != null) {
            System.Buffer.BlockCopy(copy, 0, truths, 0, copy.Length);
        }
    }
}

/// <summary>Arrays of one element for each thread: calls allocate nothing.</summary>
internal static class OneElement<T> {
    [ThreadStatic]
    private static T[][] arrays;

    public static T[] Holding(T value, int place) {
        if (arrays == null) {
            arrays = new[] { new T[1], new T[1] };
        }
        arrays[place][0] = value;
        return arrays[place];
    }
}

}
