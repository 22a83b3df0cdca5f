// Span<T> overloads, where the platform has Span<T>: .NET Standard 2.1 and .NET, or CUPRUM_SPAN (Mono has it too, but
// in a place where an assembly that uses it can run on nothing but Mono).
#if NETSTANDARD2_1_OR_GREATER || NETCOREAPP || CUPRUM_SPAN
using System;
using System.Runtime.InteropServices;

namespace Cuprum {

public partial class Buffer {
    /// <summary>
    /// Copies memory into this buffer; done when it returns, because a span may not outlive the call.
    /// </summary>
    /// <param name="source">What to copy, in place.</param>
    /// <param name="stream">The stream to copy in, or null.</param>
    /// <param name="offset">Where to copy to: bytes from this buffer's start.</param>
    /// <exception cref="InvalidArgumentException">The data does not fit.</exception>
    public unsafe void CopyFrom<T>(ReadOnlySpan<T> source, Stream stream = null, ulong offset = 0) where T : struct {
        ReadOnlySpan<byte> bytes = MemoryMarshal.AsBytes(source);
        fixed (byte* start = &MemoryMarshal.GetReference(bytes)) {
            CopyFrom((IntPtr)start, (ulong)bytes.Length, stream, offset);
            WaitFor(stream);
        }
    }

    /// <summary>
    /// Copies from this buffer to memory; done when it returns, because a span may not outlive the call.
    /// </summary>
    /// <param name="destination">What to fill, in place.</param>
    /// <param name="stream">The stream to copy in, or null.</param>
    /// <param name="offset">Where to copy from: bytes from this buffer's start.</param>
    /// <exception cref="InvalidArgumentException">The buffer has fewer bytes from there on.</exception>
    public unsafe void CopyTo<T>(Span<T> destination, Stream stream = null, ulong offset = 0) where T : struct {
        Span<byte> bytes = MemoryMarshal.AsBytes(destination);
        fixed (byte* start = &MemoryMarshal.GetReference(bytes)) {
            CopyTo((IntPtr)start, (ulong)bytes.Length, stream, offset);
            WaitFor(stream);
        }
    }

    private static void WaitFor(Stream stream) {
        if (stream != null) {
            stream.Sync();
        }
    }
}

}
#endif
