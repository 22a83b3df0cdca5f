using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>What <see cref="Distributed.ReduceByKey{TKey, TValue, T}"/> gives a rank: different keys and, at the same
/// positions, the reductions of their values, in memory of its device.</summary>
public sealed class ReducedShard : IDisposable {
    private ReducedShard(Buffer keys, Buffer values, ulong count) {
        Keys = keys;
        Values = values;
        Count = count;
    }

    /// <summary>The keys, in ascending order.</summary>
    public Buffer Keys { get; }

    /// <summary>The reductions.</summary>
    public Buffer Values { get; }

    /// <summary>How many keys.</summary>
    public ulong Count { get; }

    /// <summary>Disposes of both buffers. May be called more than once.</summary>
    public void Dispose() {
        Keys.Dispose();
        Values.Dispose();
    }

    /// <summary>What a reduction has given for each rank; ends the handle.</summary>
    internal static ReducedShard[] TakeAll(IntPtr result, int ranks) {
        using (var reduced = new NativeHandle(result, CuprumNative.cuprum_release_reduced_shards)) {
            var shards = new ReducedShard[ranks];
            for (uint rank = 0; rank < ranks; ++rank) {
                IntPtr keys, values;
                ulong count;
                CuprumNative.cuprum_reduced_shards_count(out count, reduced, rank);
                CuprumNative.cuprum_reduced_shards_take_keys(out keys, reduced, rank);
                var ofKeys = new Buffer(keys);
                CuprumNative.cuprum_reduced_shards_take_values(out values, reduced, rank);
                shards[rank] = new ReducedShard(ofKeys, new Buffer(values), count);
            }
            return shards;
        }
    }
}

}
