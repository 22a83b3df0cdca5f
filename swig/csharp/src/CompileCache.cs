using Cuprum.Native;

namespace Cuprum {

/// <summary>The cache of compiled code on disk, so that the next process does not compile the same source again: its
/// state at the moment when this object was made.</summary>
public sealed class CompileCache {
    private readonly string directory, disabledReason;
    private readonly ulong entries, size, sizeLimit, hits, misses, bypassed, dropped, evicted;

    /// <summary>Reads the state of the cache folder.</summary>
    public CompileCache() {
        CuprumNative.cuprum_compile_cache_directory(out directory, out disabledReason);
        CuprumNative.cuprum_compile_cache_size(out entries, out size, out sizeLimit);
        CuprumNative.cuprum_compile_cache_statistics(out hits, out misses, out bypassed, out dropped, out evicted);
    }

    /// <summary>The cache folder; empty if the cache is disabled.</summary>
    public string Directory { get { return directory; } }

    /// <summary>Why the cache is disabled; empty if it is enabled.</summary>
    public string DisabledReason { get { return disabledReason; } }

    /// <summary>The most bytes that the entries may take.</summary>
    public ulong SizeLimit { get { return sizeLimit; } }

    /// <summary>The number of entries on disk.</summary>
    public ulong Entries { get { return entries; } }

    /// <summary>The size of all entries on disk, in bytes.</summary>
    public ulong Size { get { return size; } }

    /// <summary>Compiles of this process that were found in the cache.</summary>
    public ulong Hits { get { return hits; } }

    /// <summary>Compiles that were not found; their results were stored where possible.</summary>
    public ulong Misses { get { return misses; } }

    /// <summary>Compiles that bypassed the cache: on request, or because the result depends on more than the cache can
    /// see.</summary>
    public ulong Bypassed { get { return bypassed; } }

    /// <summary>Entries found damaged and removed.</summary>
    public ulong Dropped { get { return dropped; } }

    /// <summary>Entries removed because the folder had exceeded its limit.</summary>
    public ulong Evicted { get { return evicted; } }

    /// <summary>Reads every entry, and removes those that are damaged or that another version of Cuprum has written.
    /// Returns how many it removed.</summary>
    public static ulong Verify() {
        ulong intact, removed;
        CuprumNative.cuprum_compile_cache_verify(out intact, out removed);
        return removed;
    }

    /// <summary>Removes all entries.</summary>
    public static void Clear() {
        CuprumNative.cuprum_compile_cache_clear();
    }
}

}
