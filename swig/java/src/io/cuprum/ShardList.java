package io.cuprum;

import io.cuprum.internal.HostMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;

/** The shards of one parameter of a call, as the lists of their fields that C takes. */
final class ShardList {
    private final List<Shard> shards;
    private final String[] types;
    private final long[] memory;
    private final ByteBuffer counts;

    ShardList(String operation, String name, List<Shard> given) {
        shards = List.copyOf(Objects.requireNonNull(given, name + " must not be null"));
        types = new String[shards.size()];
        memory = new long[shards.size()];
        counts = ByteBuffer.allocateDirect(Long.BYTES * shards.size()).order(ByteOrder.nativeOrder());
        for (int rank = 0; rank < types.length; ++rank) {
            Shard shard = shards.get(rank);
            types[rank] = shard.type().text();
            memory[rank] = shard.memory() == null ? 0 : shard.memory().open(operation);
            counts.putLong(rank * Long.BYTES, shard.count());
        }
    }

    String[] types() {
        return types;
    }

    /** Native handles. */
    long[] memory() {
        return memory;
    }

    /** The address of the counts, for as long as keep() is called later. */
    long counts() {
        return HostMemory.addressOf(counts);
    }

    /** The size of the counts in bytes. */
    long countsSize() {
        return counts.capacity();
    }

    /** After the call. */
    void keep() {
        Reference.reachabilityFence(shards);
        Reference.reachabilityFence(counts);
    }
}
