package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cuprum.Cuprum;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Each test leaves as many native objects as it found. */
final class NoLeaks implements BeforeEachCallback, AfterEachCallback {
    private long before;

    @Override
    public void beforeEach(ExtensionContext context) throws InterruptedException {
        before = Fixtures.liveHandlesWithoutGarbage();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        assertEquals(before, Cuprum.liveHandles(), "native objects alive after the test");
    }
}
