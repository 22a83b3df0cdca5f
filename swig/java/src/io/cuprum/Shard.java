package io.cuprum;

import java.util.Objects;

/**
 * The elements of one rank, from the beginning of memory of its device. Data that is spread over the ranks of a
 * {@link Communicator} is a shard for each, in their order; shards may have different numbers of elements, and none.
 * Borrows the memory, which must be open during calls. Immutable.
 *
 * @param type the type of the elements
 * @param memory where they are; null for none
 * @param count how many elements
 */
public record Shard(ElementType type, Buffer memory, long count) {
    /**
     * A shard.
     *
     * @param type the type of the elements
     * @param memory where they are; null for none
     * @param count how many elements
     */
    public Shard {
        Objects.requireNonNull(type, "type must not be null");
        if (count < 0) {
            throw new IllegalArgumentException("a shard has 0 elements or more, given " + count);
        }
    }

    /**
     * As many elements as fit.
     *
     * @param type the type of the elements
     * @param memory where they are
     * @return the shard
     */
    public static Shard of(ElementType type, Buffer memory) {
        return new Shard(type, memory, memory.size() / type.size());
    }

    /**
     * That of a rank without elements.
     *
     * @param type the type of the other ranks' elements
     * @return the shard
     */
    public static Shard empty(ElementType type) {
        return new Shard(type, null, 0);
    }
}
