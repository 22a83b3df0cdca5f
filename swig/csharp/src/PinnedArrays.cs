using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Cuprum {

/// <summary>
/// Several arrays that C only reads, as the lists of their types, addresses and sizes, until it is disposed of.
/// </summary>
internal sealed class PinnedArrays : IDisposable {
    private readonly List<GCHandle> pins = new List<GCHandle>();

    /// <summary>Throws InvalidArgumentException for none.</summary>
    public PinnedArrays(Array[] arrays, string operation) {
        if (Require.NotNull(arrays, nameof(arrays)).Length == 0) {
            throw Errors.InvalidArgument("inputs", operation, "there are none, expected at least 1");
        }
        Types = new string[arrays.Length];
        var firsts = new ulong[arrays.Length];
        var bytes = new ulong[arrays.Length];
        try {
            for (int i = 0; i < arrays.Length; ++i) {
                Type type = Require.NotNull(arrays[i], nameof(arrays)).GetType().GetElementType();
                Types[i] = ElementText.Of(type);
                // A bool cannot be pinned everywhere.
                Array plain = type == typeof(bool) ? Bytes((bool[])arrays[i]) : arrays[i];
                firsts[i] = (ulong)Pin(plain).ToInt64();
                bytes[i] = (ulong)(plain.LongLength * Marshal.SizeOf(plain.GetType().GetElementType()));
            }
            Addresses = Pin(firsts);
            Sizes = Pin(bytes);
        } catch {
            Dispose();
            throw;
        }
        Length = arrays[0].LongLength;
        ListSize = sizeof(ulong) * (ulong)arrays.LongLength;
    }

    public string[] Types { get; }

    public IntPtr Addresses { get; }

    /// <summary>In bytes each.</summary>
    public IntPtr Sizes { get; }

    /// <summary>Of the list of either, in bytes.</summary>
    public ulong ListSize { get; }

    /// <summary>Of the first array.</summary>
    public long Length { get; }

    public void Dispose() {
        foreach (GCHandle pin in pins) {
            pin.Free();
        }
        pins.Clear();
    }

    private IntPtr Pin(Array array) {
        GCHandle pin = GCHandle.Alloc(array, GCHandleType.Pinned);
        pins.Add(pin);
        return pin.AddrOfPinnedObject();
    }

    private static byte[] Bytes(bool[] truths) {
        var bytes = new byte[truths.LongLength];
        System.Buffer.BlockCopy(truths, 0, bytes, 0, bytes.Length);
        return bytes;
    }
}

}
