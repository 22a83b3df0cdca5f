using System;

namespace Cuprum {

/// <summary>What a node of a graph is. The driver's numbers.</summary>
public enum GraphNodeType {
    /// <summary>A kernel's launch.</summary>
    Kernel = 0,
    /// <summary>A copy.</summary>
    Memcpy = 1,
    /// <summary>A fill.</summary>
    Memset = 2,
    /// <summary>A function of the program's.</summary>
    Host = 3,
    /// <summary>Another graph.</summary>
    ChildGraph = 4,
    /// <summary>Nothing.</summary>
    Empty = 5,
    /// <summary>Waits for an event.</summary>
    EventWait = 6,
    /// <summary>Records an event.</summary>
    EventRecord = 7,
    /// <summary>Signals semaphores of another API.</summary>
    ExternalSemaphoresSignal = 8,
    /// <summary>Waits for semaphores of another API.</summary>
    ExternalSemaphoresWait = 9,
    /// <summary>Allocates memory.</summary>
    Allocation = 10,
    /// <summary>Frees memory.</summary>
    Free = 11,
    /// <summary>Waits for words of memory and writes them.</summary>
    BatchMemoryOperation = 12,
    /// <summary>Runs what a condition says.</summary>
    Conditional = 13,
}

/// <summary>What a conditional node decides.</summary>
public enum GraphConditionalType {
    /// <summary>Runs its body once or not at all, or one of two.</summary>
    If = 0,
    /// <summary>Runs its body again and again while the condition is not 0.</summary>
    While = 1,
    /// <summary>Runs the body whose number the condition is.</summary>
    Switch = 2,
}

/// <summary>Where the memory of an allocation node is.</summary>
public enum GraphMemoryType {
    /// <summary>On a device.</summary>
    Device = 0,
    /// <summary>Page-locked host memory.</summary>
    Host = 1,
    /// <summary>Wherever it is used.</summary>
    Managed = 2,
}

/// <summary>Which calls are refused while a graph is built, because what they do could not be captured.</summary>
public enum GraphBuildMode {
    /// <summary>In all threads.</summary>
    Global = 0,
    /// <summary>In this thread.</summary>
    ThreadLocal = 1,
    /// <summary>None: the program sees to it.</summary>
    Relaxed = 2,
}

/// <summary>What a DOT file of a graph has beside its nodes and edges.</summary>
[Flags]
public enum GraphDebugPrint {
    /// <summary>Nothing.</summary>
    Topology = 0,
    /// <summary>Everything.</summary>
    Verbose = 1,
    /// <summary>Types of the CUDA runtime.</summary>
    RuntimeTypes = 2,
    /// <summary>Parameters of kernel nodes.</summary>
    KernelNodeParams = 4,
    /// <summary>Parameters of memcpy nodes.</summary>
    MemcpyNodeParams = 8,
    /// <summary>Parameters of memset nodes.</summary>
    MemsetNodeParams = 16,
    /// <summary>Parameters of host callback nodes.</summary>
    HostNodeParams = 32,
    /// <summary>Events.</summary>
    EventNodeParams = 64,
    /// <summary>Parameters of nodes that signal external semaphores.</summary>
    ExtSemasSignalNodeParams = 128,
    /// <summary>Parameters of nodes that wait for external semaphores.</summary>
    ExtSemasWaitNodeParams = 256,
    /// <summary>Attributes of kernel nodes.</summary>
    KernelNodeAttributes = 512,
    /// <summary>Handles.</summary>
    Handles = 1024,
    /// <summary>Parameters of allocation nodes.</summary>
    MemAllocNodeParams = 2048,
    /// <summary>Parameters of free nodes.</summary>
    MemFreeNodeParams = 4096,
    /// <summary>Parameters of batch memory operation nodes.</summary>
    BatchMemOpNodeParams = 8192,
    /// <summary>Numbers of edges.</summary>
    ExtraTopoInfo = 16384,
    /// <summary>Parameters of conditional nodes.</summary>
    ConditionalNodeParams = 32768,
}

/// <summary>Options of a graph that can be launched.</summary>
public sealed class GraphCompleteOptions {
    /// <summary>A launch frees what the one before has allocated and not freed.</summary>
    public bool AutoFreeOnLaunch { get; set; }

    /// <summary>The graph is taken to the device at once, in this stream; or null.</summary>
    public Stream UploadStream { get; set; }

    /// <summary>Kernels can launch it; not together with AutoFreeOnLaunch.</summary>
    public bool DeviceLaunch { get; set; }

    /// <summary>Nodes run with priorities of their own, not with the stream's.</summary>
    public bool UseNodePriority { get; set; }
}

/// <summary>A number on the device that decides what a conditional node runs. Kernels of the graph set it
/// (cudaGraphSetConditional), and get its handle as an argument of 8 bytes.</summary>
public struct GraphCondition {
    internal GraphCondition(ulong handle) : this() {
        Handle = handle;
    }

    /// <summary>The CUgraphConditionalHandle, as an integer.</summary>
    public ulong Handle { get; private set; }
}

}
