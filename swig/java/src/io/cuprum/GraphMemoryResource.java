package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;

/**
 * Allocates while a stream's work is captured into a graph, which then allocates the memory when it is launched, at the
 * address of the buffer. A buffer that is closed during the capture is freed by the graph, after the work so far in its
 * stream; one that is closed later frees what a launch has allocated, so that the graph can be launched again. Resources
 * of the same device share what it holds for graphs.
 */
public final class GraphMemoryResource extends MemoryResource {
    /**
     * The graph memory of a device.
     *
     * @param device the device
     * @throws UnsupportedException when the device has no memory pools
     */
    public GraphMemoryResource(Device device) {
        super(create(device));
    }

    /**
     * What the device holds for its graphs.
     *
     * @param which the attribute
     * @return bytes
     */
    public long attribute(GraphMemoryAttribute which) {
        return with(Operations.MEMORY_RESOURCE_GRAPH_ATTRIBUTE, resource -> {
            long[] value = new long[1];
            CuprumNative.cuprum_memory_resource_graph_attribute(value, resource, which.number());
            return value[0];
        });
    }

    /**
     * Sets one of the highest values to 0, which makes it the current one.
     *
     * @param which the attribute
     * @param value 0
     * @throws DriverException when the attribute cannot be set
     */
    public void setAttribute(GraphMemoryAttribute which, long value) {
        with(Operations.MEMORY_RESOURCE_SET_GRAPH_ATTRIBUTE, resource -> {
            CuprumNative.cuprum_memory_resource_set_graph_attribute(resource, which.number(), value);
            return null;
        });
    }

    /** Returns memory that no graph uses to the system. */
    public void trim() {
        with(Operations.MEMORY_RESOURCE_TRIM_GRAPH_MEMORY, resource -> {
            CuprumNative.cuprum_memory_resource_trim_graph_memory(resource);
            return null;
        });
    }

    private static long create(Device device) {
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_create_graph(resource, device.deviceId());
        return resource[0];
    }
}
