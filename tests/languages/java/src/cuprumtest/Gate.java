package cuprumtest;

import static cuprumtest.DriverTest.ok;
import static io.cuprum.bindings.Driver.*;

/** Where streams stop until it is opened, in the context that is current. */
final class Gate implements AutoCloseable {
    private final long value = DriverTest.allocated(4);

    Gate() {
        shut();
    }

    void stop(long stream) {
        ok(cuStreamWaitValue32(stream, value, 1, CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_EQ.value()));
    }

    void open() {
        ok(cuMemsetD32(value, 1, 1));
    }

    void shut() {
        ok(cuMemsetD32(value, 0, 1));
        // A fill returns before it is done, and nonblocking streams do not wait for it.
        ok(cuStreamSynchronize(0));
    }

    @Override
    public void close() {
        ok(cuMemFree(value));
    }
}
