namespace Cuprum {

/// <summary>An element with its position.</summary>
public struct Indexed<T> where T : struct {
    /// <summary>The position; -1 if there is no such element.</summary>
    public long Index;
    /// <summary>The element; 0 if there is none.</summary>
    public T Value;
}

}
