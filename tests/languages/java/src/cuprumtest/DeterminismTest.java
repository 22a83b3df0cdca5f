package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Determinism;
import io.cuprum.Device;
import io.cuprum.Execution;
import io.cuprum.Parallel;
import io.cuprum.UnsupportedException;
import org.junit.jupiter.api.Test;

/** What an execution requires of results. */
final class DeterminismTest {
    private static final float[] NUMBERS = {1e8F, 1, -1e8F, 1};
    // Each thread has four of them in a row, and the threads' sums are taken in halves.
    private static final float[] OF_FOUR_THREADS = {1e8F, 0, 0, 0, 1, 0, 0, 0, -1e8F, 0, 0, 0, 1, 0, 0, 0};

    @Test
    void theSumOnEveryDeviceIsTakenInHalves() {
        Execution same = new Device(0).require(Determinism.GPU_TO_GPU);
        assertEquals(2F, Parallel.reduce(OF_FOUR_THREADS, 0F, "plus", same));    // one after the other it is 1
    }

    @Test
    void whatCannotBeKeptIsRefused() {
        Execution same = new Device(0).require(Determinism.RUN_TO_RUN);
        UnsupportedException refused =
                assertThrows(UnsupportedException.class, () -> Parallel.inclusiveScan(NUMBERS, "plus", same));
        assertTrue(refused.getMessage().contains("determinism run_to_run"), refused.getMessage());
        assertArrayEquals(new int[] {3, 4}, Parallel.inclusiveScan(new int[] {3, 1}, "plus", same));
        assertThrows(UnsupportedException.class,
                () -> Parallel.reduce(NUMBERS, 0F, "plus", Execution.HOST.require(Determinism.GPU_TO_GPU)));
        assertThrows(NullPointerException.class, () -> Execution.HOST.require(null));
    }
}
