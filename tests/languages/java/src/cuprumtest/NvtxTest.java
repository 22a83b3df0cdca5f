package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Cuprum;
import io.cuprum.Device;
import io.cuprum.Nvtx;
import io.cuprum.Stream;
import org.junit.jupiter.api.Test;

/** Ranges and marks; live objects by kind. */
class NvtxTest {
    @Test
    void rangesNestWithinAThread() {
        try (Nvtx.Range range = Nvtx.range("outer")) {
            assertEquals(1, Nvtx.pushRange("inner"));
            Nvtx.mark("here");
            assertEquals(1, Nvtx.popRange());
        }
        assertEquals(-1, Nvtx.popRange());
        long number = Nvtx.startRange("long");
        assertTrue(number != 0);
        Nvtx.endRange(number);
        Nvtx.endRange(number);
        assertThrows(NullPointerException.class, () -> Nvtx.mark(null));
    }

    @Test
    void liveObjectsAreCountedByKind() {
        long before = Cuprum.liveObjects().get("stream");
        try (Stream stream = new Device(0).createStream()) {
            assertEquals(before + 1, Cuprum.liveObjects().get("stream"));
        }
        assertEquals(before, Cuprum.liveObjects().get("stream"));
    }
}
