namespace Cuprum {

/// <summary>Two buffers, or arrays, of one type and length, between which a sort goes (<see cref="RadixSort{TKey}"/>), so
/// that it needs no other memory for the elements. They are in Current, before a sort and after it; what Alternate has then
/// is not defined. Keeps both; not thread-safe.</summary>
/// <typeparam name="T">Buffer; or an array, for a sort on the host's cores.</typeparam>
public sealed class DoubleBuffer<T> where T : class {
    /// <summary>Of two that do not overlap; the first has the elements.</summary>
    public DoubleBuffer(T current, T alternate) {
        Current = current;
        Alternate = alternate;
    }

    /// <summary>What has the elements.</summary>
    public T Current { get; private set; }
    /// <summary>The other one.</summary>
    public T Alternate { get; private set; }
    /// <summary>Which one is current: 0, the first that was given, or 1.</summary>
    public int Selector { get; private set; }

    internal void Swap() {
        T other = Alternate;
        Alternate = Current;
        Current = other;
        Selector = 1 - Selector;
    }
}

}
