using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>What a device holds for its graphs, in bytes.</summary>
public enum GraphMemoryAttribute {
    /// <summary>In graphs that run.</summary>
    UsedMemCurrent = CuprumNative.CUPRUM_GRAPH_MEMORY_USED_MEM_CURRENT,
    /// <summary>The most that has been in graphs; can be set to 0, which makes it the current value.</summary>
    UsedMemHigh = CuprumNative.CUPRUM_GRAPH_MEMORY_USED_MEM_HIGH,
    /// <summary>Held for graphs, used or not.</summary>
    ReservedMemCurrent = CuprumNative.CUPRUM_GRAPH_MEMORY_RESERVED_MEM_CURRENT,
    /// <summary>The most that has been held; can be set to 0, which makes it the current value.</summary>
    ReservedMemHigh = CuprumNative.CUPRUM_GRAPH_MEMORY_RESERVED_MEM_HIGH,
}

/// <summary>Allocates while a stream's work is captured into a graph, which then allocates the memory when it is launched,
/// at the address of the buffer. A buffer that is disposed of during the capture is freed by the graph, after the work so
/// far in its stream; one that is disposed of later frees what a launch has allocated, so that the graph can be launched
/// again. Resources of the same device share what it holds for graphs.</summary>
public sealed class GraphMemoryResource : MemoryResource {
    /// <summary>The graph memory of a device.</summary>
    /// <param name="device">The device.</param>
    /// <exception cref="UnsupportedException">The device has no memory pools.</exception>
    public GraphMemoryResource(Device device) : base(Create(device)) {}

    /// <summary>What the device holds for its graphs.</summary>
    /// <param name="which">The attribute.</param>
    public ulong GetAttribute(GraphMemoryAttribute which) {
        ulong value;
        CuprumNative.cuprum_memory_resource_graph_attribute(
            out value, Use(Operations.MemoryResourceGraphAttribute), (int)which);
        return value;
    }

    /// <summary>Sets one of the highest values to 0, which makes it the current one.</summary>
    /// <param name="which">The attribute.</param>
    /// <param name="value">0.</param>
    /// <exception cref="DriverException">The attribute cannot be set.</exception>
    public void SetAttribute(GraphMemoryAttribute which, ulong value) {
        CuprumNative.cuprum_memory_resource_set_graph_attribute(
            Use(Operations.MemoryResourceSetGraphAttribute), (int)which, value);
    }

    /// <summary>Returns memory that no graph uses to the system.</summary>
    public void Trim() {
        CuprumNative.cuprum_memory_resource_trim_graph_memory(Use(Operations.MemoryResourceTrimGraphMemory));
    }

    private static IntPtr Create(Device device) {
        IntPtr resource;
        CuprumNative.cuprum_memory_resource_create_graph(
            out resource, Require.NotNull(device, nameof(device)).DeviceId);
        return resource;
    }
}

}
