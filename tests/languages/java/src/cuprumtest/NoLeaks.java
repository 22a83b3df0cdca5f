package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Cuprum;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * No test leaves more native objects than it found. It may find some that earlier tests left to the garbage collector,
 * which comes when it likes.
 */
final class NoLeaks implements BeforeEachCallback, AfterEachCallback {
    private long before;

    @Override
    public void beforeEach(ExtensionContext context) throws InterruptedException {
        before = Fixtures.liveHandlesWithoutGarbage();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        long after = Cuprum.liveHandles();
        assertTrue(after <= before, () -> "native objects before the test: " + before + ", after it: " + after);
    }
}
