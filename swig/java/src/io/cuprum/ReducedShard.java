package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@link Distributed.ReduceByKey} gives a rank: different keys and, at the same positions, the reductions of their
 * values, in memory of its device.
 *
 * @param keys the keys, in ascending order
 * @param values the reductions
 * @param count how many keys
 */
public record ReducedShard(Buffer keys, Buffer values, long count) implements AutoCloseable {
    /** Closes both buffers. */
    @Override
    public void close() {
        keys.close();
        values.close();
    }

    /** What a reduction has given for each rank; ends the handle. */
    static List<ReducedShard> takeAll(long reduced, int ranks) {
        List<ReducedShard> shards = new ArrayList<>();
        try {
            for (int rank = 0; rank < ranks; ++rank) {
                long[] keys = new long[1];
                long[] values = new long[1];
                long[] count = new long[1];
                CuprumNative.cuprum_reduced_shards_count(count, reduced, rank);
                CuprumNative.cuprum_reduced_shards_take_keys(keys, reduced, rank);
                CuprumNative.cuprum_reduced_shards_take_values(values, reduced, rank);
                shards.add(new ReducedShard(new Buffer(keys[0]), new Buffer(values[0]), count[0]));
            }
            return shards;
        } finally {
            CuprumNative.cuprum_reduced_shards_destroy(reduced);
        }
    }
}
