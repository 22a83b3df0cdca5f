using System;
using System.Runtime.InteropServices;

namespace Cuprum.Native {

/// <summary>An array of texts in native memory, until it is disposed of.</summary>
internal sealed unsafe class NativeTexts : IDisposable {
    private IntPtr memory;

    /// <summary>Copies the texts; null stays null.</summary>
    public NativeTexts(string[] texts) {
        if (texts == null) {
            return;
        }
        byte[][] encoded = new byte[texts.Length][];
        int size = texts.Length * sizeof(ulong);
        for (int i = 0; i < texts.Length; ++i) {
            encoded[i] = Text.Encode(texts[i]);
            size = checked(size + (encoded[i] == null ? 0 : encoded[i].Length));
        }
        memory = Marshal.AllocHGlobal(Math.Max(size, 1));
        ulong* addresses = (ulong*)memory;
        byte* next = (byte*)(addresses + texts.Length);
        for (int i = 0; i < texts.Length; ++i) {
            addresses[i] = encoded[i] == null ? 0 : (ulong)next;
            if (encoded[i] != null) {
                Marshal.Copy(encoded[i], 0, (IntPtr)next, encoded[i].Length);
                next += encoded[i].Length;
            }
        }
    }

    /// <summary>Of the array of addresses; 0 for null.</summary>
    public ulong Address {
        get { return (ulong)memory; }
    }

    /// <summary>Frees the memory.</summary>
    public void Dispose() {
        Marshal.FreeHGlobal(memory);
        memory = IntPtr.Zero;
    }
}

}
