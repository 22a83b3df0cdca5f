namespace Cuprum {

/// <summary>An element with its position.</summary>
public struct Indexed<T> where T : struct {
    /// <summary>-1 where there is none.</summary>
    public long Index;
    /// <summary>0 where there is none.</summary>
    public T Value;
}

}
