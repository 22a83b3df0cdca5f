package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** An algorithm over host memory in pieces, compiled for one device or several, types and an operator: {@link OutOfCore}. */
public abstract class OutOfCoreAlgorithm extends NativeObject {
    /** A build function of the C ABI, called with the array for the new handle. */
    @FunctionalInterface
    interface Build {
        void run(long[] built, long memory, long memorySize);
    }

    private static final int DEVICE_MEMORY_BYTES = 24;    // of C's cuprum_device_memory

    /** For the classes of {@link OutOfCore}, which are all there are. */
    OutOfCoreAlgorithm(DeviceMemory memory, String operation, Build build) {
        this(List.of(memory), operation, build);
    }

    OutOfCoreAlgorithm(List<DeviceMemory> memory, String operation, Build build) {
        super(built(memory, operation, build), CuprumNative::cuprum_out_of_core_algorithm_destroy);
    }

    private static long built(List<DeviceMemory> memory, String operation, Build build) {
        long[] built = new long[1];
        int size = DEVICE_MEMORY_BYTES * memory.size();
        ByteBuffer packed = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
        for (DeviceMemory each : memory) {
            MemoryResource resource = each.resource();
            packed.putInt(each.device().deviceId()).putInt(0);
            packed.putLong(each.limit()).putLong(resource == null ? 0 : resource.open(operation));
        }
        build.run(built, HostMemory.addressOf(packed.flip()), size);
        Reference.reachabilityFence(packed);
        Reference.reachabilityFence(memory);
        return built[0];
    }
}
