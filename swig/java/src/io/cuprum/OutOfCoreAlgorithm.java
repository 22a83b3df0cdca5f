package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.lang.ref.Reference;

/** An algorithm over host memory in pieces, compiled for a device, types and an operator: {@link OutOfCore}. */
public abstract class OutOfCoreAlgorithm extends NativeObject {
    /** A build function of the C ABI, called with the array for the new handle. */
    @FunctionalInterface
    interface Build {
        void run(long[] built, int device, long limit, long resource);
    }

    /** For the classes of {@link OutOfCore}, which are all there are. */
    OutOfCoreAlgorithm(DeviceMemory memory, String operation, Build build) {
        super(built(memory, operation, build), CuprumNative::cuprum_out_of_core_algorithm_destroy);
    }

    private static long built(DeviceMemory memory, String operation, Build build) {
        long[] built = new long[1];
        MemoryResource resource = memory.resource();
        build.run(built, memory.device().deviceId(), memory.limit(), resource == null ? 0 : resource.open(operation));
        Reference.reachabilityFence(resource);
        return built[0];
    }
}
