package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.util.Objects;

/**
 * Ranges and marks of the program's own, for tools such as Nsight Systems (NVTX) and for {@code cuprum trace}. Without
 * either they cost next to nothing.
 */
public final class Nvtx {
    private Nvtx() {}

    /**
     * Marks this moment.
     *
     * @param name its name
     */
    public static void mark(String name) {
        CuprumNative.cuprum_nvtx_mark(named(name));
    }

    /**
     * Begins a range within the thread's innermost one.
     *
     * @param name its name
     * @return how many there were before
     */
    public static int pushRange(String name) {
        int[] depth = new int[1];
        CuprumNative.cuprum_nvtx_push_range(depth, named(name));
        return depth[0];
    }

    /**
     * Ends the thread's innermost range.
     *
     * @return how many are left; -1 where there was none
     */
    public static int popRange() {
        int[] depth = new int[1];
        CuprumNative.cuprum_nvtx_pop_range(depth);
        return depth[0];
    }

    /**
     * Begins a range that may end in any thread.
     *
     * @param name its name
     * @return its number
     */
    public static long startRange(String name) {
        long[] range = new long[1];
        CuprumNative.cuprum_nvtx_start_range(range, named(name));
        return range[0];
    }

    /**
     * Ends a range; one that does not exist, or has ended, is ignored.
     *
     * @param range what {@link #startRange} gave
     */
    public static void endRange(long range) {
        CuprumNative.cuprum_nvtx_end_range(range);
    }

    /**
     * A range until it is closed, in one thread: {@code try (Nvtx.Range range = Nvtx.range("step")) { ... }}.
     *
     * @param name its name
     * @return the range
     */
    public static Range range(String name) {
        pushRange(name);
        return Nvtx::popRange;
    }

    private static String named(String name) {
        return Objects.requireNonNull(name, "name must not be null");
    }

    /** A range that ends when it is closed. */
    public interface Range extends AutoCloseable {
        @Override
        void close();
    }
}
