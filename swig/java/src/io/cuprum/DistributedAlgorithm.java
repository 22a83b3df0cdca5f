package io.cuprum;

import io.cuprum.internal.CuprumNative;

/** An algorithm over several devices, compiled for a communicator, types and an operator: {@link Distributed}. */
public abstract class DistributedAlgorithm extends NativeObject {
    /** A build function of the C ABI, called with the array for the new handle and the communicator's. */
    @FunctionalInterface
    interface Build {
        void run(long[] built, long communicator);
    }

    /** For the classes of {@link Distributed}, which are all there are. */
    DistributedAlgorithm(Communicator communicator, String operation, Build build) {
        super(communicator.<Long>with(operation, ranks -> {
            long[] built = new long[1];
            build.run(built, ranks);
            return built[0];
        }), CuprumNative::cuprum_distributed_algorithm_destroy);
    }
}
