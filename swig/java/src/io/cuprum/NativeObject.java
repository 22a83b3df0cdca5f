package io.cuprum;

import io.cuprum.internal.NativeHandle;
import java.lang.ref.Reference;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/** An object that stands for a handle of the C ABI. */
abstract class NativeObject implements AutoCloseable {
    private final NativeHandle handle;

    /** `destroy` gets the handle once, from any thread; it must not refer to this object. */
    NativeObject(long handle, LongConsumer destroy) {
        this.handle = new NativeHandle(this, handle, destroy);
    }

    /** {@return whether {@link #close()} has been called} */
    public boolean isClosed() {
        return handle.isClosed();
    }

    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + " " + Long.toHexString(handle.value());
    }

    /** The native handle. The caller keeps this object reachable while it uses it. */
    long open(String operation) {
        if (handle.isClosed()) {
            throw Errors.closed(this, operation);
        }
        return handle.value();
    }

    /** Runs `action` with the native handle; this object stays reachable meanwhile. */
    <T> T with(String operation, LongFunction<T> action) {
        try {
            return action.apply(open(operation));
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
