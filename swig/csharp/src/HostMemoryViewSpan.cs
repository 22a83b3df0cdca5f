// Where the platform has Span<T>: see BufferSpans.cs.
#if NETSTANDARD2_1_OR_GREATER || NETCOREAPP || CUPRUM_SPAN
using System;

namespace Cuprum {

public sealed partial class HostMemoryView {
    /// <summary>The memory as numbers or structs of numbers; bytes after the last whole one are left out.
    /// </summary>
    /// <exception cref="ArgumentException">T is neither a number nor a struct of numbers, or there are more than a span
    /// can have.</exception>
    /// <exception cref="InvalidStateException">The view is closed.</exception>
    public unsafe Span<T> AsSpan<T>() where T : struct {
        ulong elementSize = ArrayElement<T>.Size;
        if (elementSize == 0) {
            throw new ArgumentException(
                "memory cannot be viewed as " + typeof(T).FullName + ": only as numbers and structs of numbers");
        }
        ulong count = Size / elementSize;
        if (count > int.MaxValue) {
            throw new ArgumentException("a span has at most " + int.MaxValue + " elements, and the memory has " + count);
        }
        return new Span<T>((void*)Address, (int)count);
    }
}

}
#endif
