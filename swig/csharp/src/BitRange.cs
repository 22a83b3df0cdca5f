using System;

namespace Cuprum {

/// <summary>Which bits of the keys a radix sort compares: from Begin up to but not including End, 0 being the
/// lowest.</summary>
public struct BitRange {
    /// <summary>At least one bit.</summary>
    public BitRange(int begin, int end) {
        if (begin < 0 || end <= begin) {
            throw new ArgumentException("bits " + begin + " to " + end + ": the first must be less than the end");
        }
        Begin = begin;
        End = end;
    }

    /// <summary>The first bit.</summary>
    public int Begin { get; }
    /// <summary>The bit after the last; 0 in the default, which is all bits.</summary>
    public int End { get; }
}

}
