using System;

namespace Cuprum.Native {

/// <summary>What the generated functions of the bindings do with their arguments.</summary>
internal static unsafe class NativeCall {
    /// <summary>The bits of a float, in the low bytes.</summary>
    public static ulong Bits(float value) {
        return *(uint*)&value;
    }

    /// <summary>The bits of a double.</summary>
    public static ulong Bits(double value) {
        return *(ulong*)&value;
    }

    /// <summary>The first address in memory with that alignment, a power of two.</summary>
    public static void* Align(byte* memory, int alignment) {
        ulong mask = (ulong)alignment - 1;
        return (void*)(((ulong)memory + mask) & ~mask);
    }

    /// <summary>Refuses null for an array that the function writes to.</summary>
    public static void CheckNotNull(string function, string parameter, Array array) {
        if (array == null || array.Length == 0) {
            throw new ArgumentException(function + ": " + parameter + ": expected an array of at least 1 element, given "
                                        + (array == null ? "null" : "an empty one"), parameter);
        }
    }

    /// <summary>Refuses zero as the address of memory that the function writes to.</summary>
    public static void CheckPlace(string function, string parameter, IntPtr address) {
        if (address == IntPtr.Zero) {
            throw new ArgumentException(function + ": " + parameter
                                        + ": expected the address of memory to write to, given zero", parameter);
        }
    }

    /// <summary>Refuses a text that C would see end early. Null is allowed.</summary>
    public static void CheckText(string function, string parameter, string text) {
        int nul = text == null ? -1 : text.IndexOf('\0');
        if (nul >= 0) {
            throw new ArgumentException(function + ": " + parameter + ": expected text without NUL, given one at " + nul,
                                        parameter);
        }
    }

    /// <summary>The same for an array of texts.</summary>
    public static void CheckText(string function, string parameter, string[] texts) {
        for (int i = 0; texts != null && i < texts.Length; ++i) {
            CheckText(function, parameter, texts[i]);
        }
    }

    /// <summary>Refuses an array that is shorter than the function expects. Null is allowed.</summary>
    public static void CheckLength(string function, string parameter, Array array, ulong length) {
        if (array != null && (ulong)array.LongLength < length) {
            throw new ArgumentException(function + ": " + parameter + ": expected at least " + length
                                        + " elements, given " + array.LongLength, parameter);
        }
    }
}

}
