package io.cuprum.bindings;

import io.cuprum.NotFoundException;
import io.cuprum.internal.CuprumNative;
import java.nio.Buffer;
import java.util.Optional;

/**
 * Functions that the bindings of all libraries share. The libraries are named "driver", "runtime", "nvrtc",
 * "nvjitlink", "nvvm", "nvml" and "nccl".
 */
public final class Bindings {
    private Bindings() {}

    /**
     * Why the latest call on this thread did not find its library or its function, and clears it. Ask after a
     * call has returned such a status.
     *
     * @return what is missing and what to do; empty if nothing has been missing since the last call of this method
     */
    public static Optional<NotFoundException> takeFailure() {
        try {
            CuprumNative.cuprum_bindings_take_failure();
            return Optional.empty();
        } catch (NotFoundException missing) {
            return Optional.of(missing);
        }
    }

    /**
     * Whether a library is open already.
     *
     * @param library its name
     * @return false before its first call
     */
    public static boolean isLoaded(String library) {
        int[] loaded = new int[1];
        CuprumNative.cuprum_bindings_is_loaded(loaded, library);
        return loaded[0] != 0;
    }

    /**
     * The version that a library says it has; opens it.
     *
     * @param library its name
     * @return 1000 * major + 10 * minor
     */
    public static int version(String library) {
        int[] version = new int[1];
        CuprumNative.cuprum_bindings_library_version(version, library);
        return version[0];
    }

    /**
     * How many functions a library's list has.
     *
     * @param library its name
     * @return the number of functions in the headers that Cuprum was built with
     */
    public static long functionCount(String library) {
        long[] count = new long[1];
        CuprumNative.cuprum_bindings_function_count(count, library);
        return count[0];
    }

    /**
     * The address that a call goes to; opens the library. Calls of the address are not traced.
     *
     * @param library its name
     * @param function the function's name in C
     * @return never 0
     * @throws NotFoundException if the library or the function is missing
     */
    public static long addressOf(String library, String function) {
        long[] address = new long[1];
        CuprumNative.cuprum_bindings_address_of(address, library, function);
        return address[0];
    }

    /**
     * The address of the part from position to limit of a direct buffer, for functions that take addresses of host
     * memory. Good for as long as the buffer is reachable.
     *
     * @param buffer a direct buffer
     * @return an address; 0 for a part without bytes
     */
    public static long address(Buffer buffer) {
        if (buffer == null || !buffer.isDirect()) {
            throw new IllegalArgumentException("buffer: expected a direct buffer, given "
                    + (buffer == null ? "null" : "one on the Java heap, which the garbage collector may move"));
        }
        return io.cuprum.internal.HostMemory.addressOf(buffer);
    }

    /**
     * Makes the null stream each thread's own default stream, for the whole process, before its first call.
     *
     * @param enabled false for the legacy default stream
     */
    public static void usePerThreadDefaultStream(boolean enabled) {
        CuprumNative.cuprum_bindings_use_per_thread_default_stream(enabled ? 1 : 0);
    }

    /**
     * Starts to trace all calls of the process into a file, in place of the running trace.
     *
     * @param path the file, which becomes a Chrome trace if its name ends in .json, else text
     */
    public static void startTrace(String path) {
        CuprumNative.cuprum_bindings_start_trace(path);
    }

    /** Stops the running trace, if any. */
    public static void stopTrace() {
        CuprumNative.cuprum_bindings_stop_trace();
    }

    /**
     * Makes calls fail without making them.
     *
     * @param item NAME[:N[+]]=CODE, as in CUPRUM_FAULT: the Nth call from now on, with "+" all later ones too
     * @return what ends it
     */
    public static Fault injectFault(String item) {
        long[] number = new long[1];
        CuprumNative.cuprum_bindings_inject_fault(number, item);
        return new Fault(number[0]);
    }

    /** A fault that is injected until it is closed. */
    public static final class Fault implements AutoCloseable {
        private final long number;
        private boolean ended;

        Fault(long number) {
            this.number = number;
        }

        /** Ends it. Does nothing the second time. */
        @Override
        public synchronized void close() {
            if (!ended) {
                ended = true;
                CuprumNative.cuprum_bindings_end_fault(new long[1], number);
            }
        }
    }
}
