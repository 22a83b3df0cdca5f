using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>Blocks in a grid or threads in a block.</summary>
public struct Dimensions : IEquatable<Dimensions> {
    /// <summary>Refuses numbers below 1; the launch checks the device's limits.</summary>
    public Dimensions(int x, int y = 1, int z = 1) {
        if (x < 1 || y < 1 || z < 1) {
            throw new ArgumentOutOfRangeException(
                nameof(x), "dimensions must be at least 1: (" + x + ", " + y + ", " + z + ")");
        }
        X = x;
        Y = y;
        Z = z;
    }

    /// <summary>The size along the fastest varying axis.</summary>
    public int X { get; }

    /// <summary>The size along the second axis.</summary>
    public int Y { get; }

    /// <summary>The size along the third axis.</summary>
    public int Z { get; }

    /// <summary>Dimensions along one axis.</summary>
    public static implicit operator Dimensions(int x) {
        return new Dimensions(x);
    }

    /// <summary>Whether all three are equal.</summary>
    public bool Equals(Dimensions other) {
        return X == other.X && Y == other.Y && Z == other.Z;
    }

    /// <summary>Whether the dimensions are equal.</summary>
    public override bool Equals(object other) {
        return other is Dimensions && Equals((Dimensions)other);
    }

    /// <summary>The hash code; equal for equal dimensions.</summary>
    public override int GetHashCode() {
        return unchecked((X * 31 + Y) * 31 + Z);
    }

    /// <summary>"(X, Y, Z)"</summary>
    public override string ToString() {
        return "(" + X + ", " + Y + ", " + Z + ")";
    }
}

/// <summary>How a kernel is launched. Immutable. Where a value is null, the stream's, the kernel's or the driver's
/// default holds, at no cost.</summary>
public sealed class LaunchConfig {
    /// <param name="grid">Blocks, or clusters where there is a cluster.</param>
    /// <param name="block">Threads in each block.</param>
    /// <param name="shmemSize">Dynamic shared memory for each block, bytes.</param>
    /// <param name="isCooperative">Whether the whole grid may synchronise.</param>
    /// <param name="programmaticStreamSerialization">Whether the kernel may start before the previous one in the stream
    /// has finished; it must then wait for that one's results itself (compute capability 9.0).</param>
    /// <param name="cluster">Blocks per cluster, which reach each other's shared memory (compute capability 9.0).</param>
    /// <param name="priority">The priority, in place of the stream's; lower numbers run first.</param>
    /// <param name="preferredSharedMemoryCarveout">The percentage of a multiprocessor's combined
    /// L1 cache and shared memory that should be shared memory.</param>
    /// <param name="memorySyncDomain">The domain whose writes the kernel's memory fences wait for.</param>
    /// <param name="memorySyncDomainMap">The device's hardware domains behind the two domains.</param>
    /// <param name="accessPolicyWindow">How the L2 cache treats one range of memory.</param>
    public LaunchConfig(Dimensions grid, Dimensions block, int shmemSize = 0, bool isCooperative = false,
                        bool programmaticStreamSerialization = false, Dimensions? cluster = null, int? priority = null,
                        int? preferredSharedMemoryCarveout = null, MemorySyncDomain? memorySyncDomain = null,
                        MemorySyncDomainMap? memorySyncDomainMap = null, AccessPolicyWindow accessPolicyWindow = null) {
        if (shmemSize < 0) {
            throw new ArgumentOutOfRangeException(nameof(shmemSize), "shmemSize must not be negative: " + shmemSize);
        }
        if (grid.X == 0 || block.X == 0 || (cluster.HasValue && cluster.Value.X == 0)) {
            throw new ArgumentException("grid, block and cluster have dimensions; default(Dimensions) has none");
        }
        Grid = grid;
        Block = block;
        ShmemSize = shmemSize;
        IsCooperative = isCooperative;
        ProgrammaticStreamSerialization = programmaticStreamSerialization;
        Cluster = cluster;
        Priority = priority;
        PreferredSharedMemoryCarveout = preferredSharedMemoryCarveout;
        MemorySyncDomain = memorySyncDomain;
        MemorySyncDomainMap = memorySyncDomainMap;
        AccessPolicyWindow = accessPolicyWindow;
    }

    /// <summary>The fewest blocks that have a thread for each element; one block for no elements. The last block may
    /// have threads beyond the last element: the kernel checks.</summary>
    public static LaunchConfig ForNumElements(long numElements, int blockSize) {
        if (numElements < 0 || blockSize < 1) {
            throw new ArgumentOutOfRangeException(
                nameof(numElements),
                "numElements must be at least 0 and blockSize at least 1: " + numElements + ", " + blockSize);
        }
        long blocks = Math.Max(1, numElements / blockSize + (numElements % blockSize == 0 ? 0 : 1));
        if (blocks > int.MaxValue) {
            throw new ArgumentOutOfRangeException(
                nameof(numElements),
                numElements + " elements need " + blocks + " blocks of " + blockSize + " threads, a grid has at most "
                + int.MaxValue + "; let each thread do several elements");
        }
        return new LaunchConfig((int)blocks, blockSize);
    }

    /// <summary>Blocks, or clusters where there is a cluster.</summary>
    public Dimensions Grid { get; }

    /// <summary>Threads in each block.</summary>
    public Dimensions Block { get; }

    /// <summary>Dynamic shared memory for each block, bytes.</summary>
    public int ShmemSize { get; }

    /// <summary>Whether the whole grid may synchronise.</summary>
    public bool IsCooperative { get; }

    /// <summary>Whether the kernel may start before the previous one in the stream has finished.</summary>
    public bool ProgrammaticStreamSerialization { get; }

    /// <summary>Blocks per cluster.</summary>
    public Dimensions? Cluster { get; }

    /// <summary>The priority, in place of the stream's; lower numbers run first.</summary>
    public int? Priority { get; }

    /// <summary>The percentage of a multiprocessor's combined L1 cache and shared memory that should be shared
    /// memory.</summary>
    public int? PreferredSharedMemoryCarveout { get; }

    /// <summary>The domain whose writes the kernel's memory fences wait for.</summary>
    public MemorySyncDomain? MemorySyncDomain { get; }

    /// <summary>The device's hardware domains behind the two domains.</summary>
    public MemorySyncDomainMap? MemorySyncDomainMap { get; }

    /// <summary>How the L2 cache treats one range of memory.</summary>
    public AccessPolicyWindow AccessPolicyWindow { get; }

    /// <summary>Launches with handles in use and arguments that are packed.</summary>
    internal void Launch(NativeHandle stream, NativeHandle kernel, IntPtr arguments, uint count) {
        Dimensions cluster = Cluster.GetValueOrDefault();    // all 0 without one
        MemorySyncDomainMap map = MemorySyncDomainMap.GetValueOrDefault();
        AccessPolicyWindow window = AccessPolicyWindow;
        CuprumNative.cuprum_launch(
            stream, (uint)Grid.X, (uint)Grid.Y, (uint)Grid.Z, (uint)Block.X, (uint)Block.Y, (uint)Block.Z,
            (uint)ShmemSize, IsCooperative ? 1 : 0, ProgrammaticStreamSerialization ? 1 : 0, (uint)cluster.X,
            (uint)cluster.Y, (uint)cluster.Z, Priority.HasValue ? 1 : 0, Priority.GetValueOrDefault(),
            PreferredSharedMemoryCarveout.HasValue ? 1 : 0, PreferredSharedMemoryCarveout.GetValueOrDefault(),
            (int)MemorySyncDomain.GetValueOrDefault(), MemorySyncDomainMap.HasValue ? 1 : 0, (uint)map.Default,
            (uint)map.Remote, window == null ? 0 : window.HitRatio, window == null ? 0 : window.Address,
            window == null ? 0 : window.Size, window == null ? 0 : (int)window.Hit,
            window == null ? 0 : (int)window.Miss, kernel, arguments, count);
    }

    /// <summary>Adds a kernel node, or changes one, by the call with that number.</summary>
    internal ulong GiveToNode(int call, NativeHandle graph, NativeHandle definition, ulong node, NativeHandle kernel,
                              IntPtr arguments, uint count) {
        Dimensions cluster = Cluster.GetValueOrDefault();    // all 0 without one
        MemorySyncDomainMap map = MemorySyncDomainMap.GetValueOrDefault();
        AccessPolicyWindow window = AccessPolicyWindow;
        ulong added;
        CuprumNative.cuprum_graph_kernel_node(
            out added, call, graph, definition, node, (uint)Grid.X, (uint)Grid.Y, (uint)Grid.Z, (uint)Block.X,
            (uint)Block.Y, (uint)Block.Z, (uint)ShmemSize, IsCooperative ? 1 : 0,
            ProgrammaticStreamSerialization ? 1 : 0, (uint)cluster.X, (uint)cluster.Y, (uint)cluster.Z,
            Priority.HasValue ? 1 : 0, Priority.GetValueOrDefault(), PreferredSharedMemoryCarveout.HasValue ? 1 : 0,
            PreferredSharedMemoryCarveout.GetValueOrDefault(), (int)MemorySyncDomain.GetValueOrDefault(),
            MemorySyncDomainMap.HasValue ? 1 : 0, (uint)map.Default, (uint)map.Remote,
            window == null ? 0 : window.HitRatio, window == null ? 0 : window.Address, window == null ? 0 : window.Size,
            window == null ? 0 : (int)window.Hit, window == null ? 0 : (int)window.Miss, kernel, arguments, count);
        return added;
    }

    /// <summary>A function of the C ABI that answers for a kernel, a configuration and a stream.</summary>
    internal delegate void ClusterQuery(
        out int answer, NativeHandle kernel, uint gridX, uint gridY, uint gridZ, uint blockX, uint blockY, uint blockZ,
        uint shmemSize, int isCooperative, int programmaticStreamSerialization, uint clusterX, uint clusterY,
        uint clusterZ, int hasPriority, int priority, int hasCarveout, int carveout, int domain, int hasDomainMap,
        uint defaultDomain, uint remoteDomain, float hitRatio, ulong address, ulong size, int hit, int miss,
        NativeHandle stream);

    /// <summary>Asks with handles in use. Priority, domains and cache have no say in how many clusters fit.</summary>
    internal int Ask(ClusterQuery query, NativeHandle kernel, NativeHandle stream) {
        Dimensions cluster = Cluster.GetValueOrDefault();    // all 0 without one
        int answer;
        query(out answer, kernel, (uint)Grid.X, (uint)Grid.Y, (uint)Grid.Z, (uint)Block.X, (uint)Block.Y, (uint)Block.Z,
              (uint)ShmemSize, IsCooperative ? 1 : 0, 0, (uint)cluster.X, (uint)cluster.Y, (uint)cluster.Z, 0, 0,
              PreferredSharedMemoryCarveout.HasValue ? 1 : 0, PreferredSharedMemoryCarveout.GetValueOrDefault(), 0, 0,
              0, 0, 0, 0, 0, 0, 0, stream);
        return answer;
    }
}

}
