using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Cuprum {

/// <summary>Text on its way to and from C: UTF-8 with a NUL at its end.</summary>
internal static class Text {
    // Bytes that are not UTF-8 become U+FFFD: a driver's message must not turn into another exception.
    private static readonly UTF8Encoding utf8 = new UTF8Encoding(false, false);

    /// <summary>Null for null. A NUL inside would silently end the text in C, so it is refused.</summary>
    public static byte[] Encode(string text) {
        if (text == null) {
            return null;
        }
        byte[] bytes = new byte[utf8.GetByteCount(text) + 1];
        Put(text, bytes, 0);
        return bytes;
    }

    /// <summary>The number of texts as 4 bytes, then each text with its NUL.</summary>
    public static byte[] EncodeAll(string[] texts) {
        int length = sizeof(int);
        foreach (string text in texts) {
            length = checked(length + utf8.GetByteCount(text) + 1);
        }
        byte[] bytes = new byte[length];
        BitConverter.GetBytes(texts.Length).CopyTo(bytes, 0);
        int at = sizeof(int);
        foreach (string text in texts) {
            at = Put(text, bytes, at) + 1;
        }
        return bytes;
    }

    /// <summary>Copies; null for null.</summary>
    public static unsafe string Decode(IntPtr text) {
        if (text == IntPtr.Zero) {
            return null;
        }
        int length = 0;
        for (byte* next = (byte*)text; *next != 0; ++next) {
            ++length;
        }
        byte[] bytes = new byte[length];
        Marshal.Copy(text, bytes, 0, length);
        return utf8.GetString(bytes);
    }

    private static int Put(string text, byte[] bytes, int at) {
        int nul = text.IndexOf('\0');
        if (nul >= 0) {
            throw new ArgumentException(
                "the text has a NUL character (at index " + nul + "), which C takes for its end");
        }
        return at + utf8.GetBytes(text, 0, text.Length, bytes, at);
    }
}

}
