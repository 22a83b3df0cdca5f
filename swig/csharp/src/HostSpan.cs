// Where the platform has Span<T>: see BufferSpans.cs.
#if NETSTANDARD2_1_OR_GREATER || NETCOREAPP || CUPRUM_SPAN
using System;
using System.Runtime.InteropServices;

namespace Cuprum {

internal static class HostSpan {
    /// <summary>Where it starts, for a `fixed` statement.</summary>
    public static ref byte Start<T>(ReadOnlySpan<T> span) where T : struct {
        return ref MemoryMarshal.GetReference(MemoryMarshal.AsBytes(span));
    }
}

}
#endif
