package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.util.Objects;

/**
 * How a kernel is launched. Where a value is null, the stream's, the kernel's or the driver's default
 * holds, at no cost.
 *
 * @param grid blocks, or clusters where there is a cluster
 * @param cluster blocks per cluster, which reach each other's shared memory (compute capability 9.0); or null
 * @param block threads in each block
 * @param shmemSize dynamic shared memory for each block, bytes
 * @param isCooperative whether the whole grid may synchronise
 * @param programmaticStreamSerialization whether the kernel may start before the previous one in the stream has
 *     finished; it must then wait for that one's results itself (compute capability 9.0)
 * @param priority the priority, in place of the stream's, lower numbers run first; or null
 * @param preferredSharedMemoryCarveout the percentage of a multiprocessor's combined L1 cache and
 *     shared memory that should be shared memory; or null
 * @param memorySyncDomain the domain whose writes the kernel's memory fences wait for; or null
 * @param memorySyncDomainMap the device's hardware domains behind the two domains; or null
 * @param accessPolicyWindow how the L2 cache treats one range of memory; or null
 */
public record LaunchConfig(
        Dimensions grid,
        Dimensions cluster,
        Dimensions block,
        int shmemSize,
        boolean isCooperative,
        boolean programmaticStreamSerialization,
        Integer priority,
        Integer preferredSharedMemoryCarveout,
        MemorySyncDomain memorySyncDomain,
        MemorySyncDomainMap memorySyncDomainMap,
        AccessPolicyWindow accessPolicyWindow) {
    /**
     * Refuses a grid or a block that is null, and a negative size.
     *
     * @param grid blocks, or clusters where there is a cluster
     * @param cluster blocks per cluster, which reach each other's shared memory (compute capability 9.0); or null
     * @param block threads in each block
     * @param shmemSize dynamic shared memory for each block, bytes
     * @param isCooperative whether the whole grid may synchronise
     * @param programmaticStreamSerialization whether the kernel may start before the previous one in the stream has
     *     finished; it must then wait for that one's results itself (compute capability 9.0)
     * @param priority the priority, in place of the stream's, lower numbers run first; or null
     * @param preferredSharedMemoryCarveout the percentage of a multiprocessor's combined L1 cache and
     *     shared memory that should be shared memory; or null
     * @param memorySyncDomain the domain whose writes the kernel's memory fences wait for; or null
     * @param memorySyncDomainMap the device's hardware domains behind the two domains; or null
     * @param accessPolicyWindow how the L2 cache treats one range of memory; or null
     */
    public LaunchConfig {
        Objects.requireNonNull(grid, "grid");
        Objects.requireNonNull(block, "block");
        if (shmemSize < 0) {
            throw new IllegalArgumentException("shmemSize must not be negative: " + shmemSize);
        }
    }

    /**
     * A configuration with grid, block, shared memory and whether it is cooperative.
     *
     * @param grid blocks
     * @param block threads in each block
     * @param shmemSize dynamic shared memory for each block, bytes
     * @param isCooperative whether the whole grid may synchronise
     */
    public LaunchConfig(Dimensions grid, Dimensions block, int shmemSize, boolean isCooperative) {
        this(grid, null, block, shmemSize, isCooperative, false, null, null, null, null, null);
    }

    /**
     * A configuration with clusters.
     *
     * @param grid clusters
     * @param cluster blocks in each cluster
     * @param block threads in each block
     */
    public LaunchConfig(Dimensions grid, Dimensions cluster, Dimensions block) {
        this(grid, cluster, block, 0, false, false, null, null, null, null, null);
    }

    /**
     * A configuration without dynamic shared memory, not cooperative.
     *
     * @param grid blocks
     * @param block threads in each block
     */
    public LaunchConfig(Dimensions grid, Dimensions block) {
        this(grid, block, 0, false);
    }

    /**
     * A one-dimensional configuration.
     *
     * @param grid blocks
     * @param block threads in each block
     */
    public LaunchConfig(int grid, int block) {
        this(new Dimensions(grid), new Dimensions(block));
    }

    /**
     * A one-dimensional configuration with dynamic shared memory.
     *
     * @param grid blocks
     * @param block threads in each block
     * @param shmemSize dynamic shared memory for each block, bytes
     */
    public LaunchConfig(int grid, int block, int shmemSize) {
        this(new Dimensions(grid), new Dimensions(block), shmemSize, false);
    }

    /**
     * The fewest blocks that have a thread for each element; one block for no elements. The last block may have threads
     * beyond the last element: the kernel checks.
     *
     * @param numElements the number of elements, at least 0
     * @param blockSize threads in each block, at least 1
     * @return a one-dimensional configuration
     */
    public static LaunchConfig forNumElements(long numElements, int blockSize) {
        if (numElements < 0 || blockSize < 1) {
            throw new IllegalArgumentException(
                    "numElements must be at least 0 and blockSize at least 1: " + numElements + ", " + blockSize);
        }
        long blocks = Math.max(1, numElements / blockSize + (numElements % blockSize == 0 ? 0 : 1));
        if (blocks > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(numElements + " elements need " + blocks + " blocks of " + blockSize
                    + " threads, a grid has at most " + Integer.MAX_VALUE + "; let each thread do several elements");
        }
        return new LaunchConfig((int) blocks, blockSize);
    }

    /**
     * A copy with another value for one component.
     *
     * @param cluster blocks per cluster, which reach each other's shared memory (compute capability 9.0); or null
     * @return a new configuration
     */
    public LaunchConfig withCluster(Dimensions cluster) {
        return new LaunchConfig(
                grid, cluster, block, shmemSize, isCooperative, programmaticStreamSerialization, priority,
                preferredSharedMemoryCarveout, memorySyncDomain, memorySyncDomainMap, accessPolicyWindow);
    }

    /**
     * A copy with another value for one component.
     *
     * @param shmemSize dynamic shared memory for each block, bytes
     * @return a new configuration
     */
    public LaunchConfig withShmemSize(int shmemSize) {
        return new LaunchConfig(
                grid, cluster, block, shmemSize, isCooperative, programmaticStreamSerialization, priority,
                preferredSharedMemoryCarveout, memorySyncDomain, memorySyncDomainMap, accessPolicyWindow);
    }

    /**
     * A copy with another value for one component.
     *
     * @param isCooperative whether the whole grid may synchronise
     * @return a new configuration
     */
    public LaunchConfig withCooperative(boolean isCooperative) {
        return new LaunchConfig(
                grid, cluster, block, shmemSize, isCooperative, programmaticStreamSerialization, priority,
                preferredSharedMemoryCarveout, memorySyncDomain, memorySyncDomainMap, accessPolicyWindow);
    }

    /**
     * A copy with another value for one component.
     *
     * @param programmaticStreamSerialization whether the kernel may start before the previous one in the stream has
     *     finished; it must then wait for that one's results itself (compute capability 9.0)
     * @return a new configuration
     */
    public LaunchConfig withProgrammaticStreamSerialization(boolean programmaticStreamSerialization) {
        return new LaunchConfig(
                grid, cluster, block, shmemSize, isCooperative, programmaticStreamSerialization, priority,
                preferredSharedMemoryCarveout, memorySyncDomain, memorySyncDomainMap, accessPolicyWindow);
    }

    /**
     * A copy with another value for one component.
     *
     * @param priority the priority, in place of the stream's, lower numbers run first; or null
     * @return a new configuration
     */
    public LaunchConfig withPriority(Integer priority) {
        return new LaunchConfig(
                grid, cluster, block, shmemSize, isCooperative, programmaticStreamSerialization, priority,
                preferredSharedMemoryCarveout, memorySyncDomain, memorySyncDomainMap, accessPolicyWindow);
    }

    /**
     * A copy with another value for one component.
     *
     * @param preferredSharedMemoryCarveout the percentage of a multiprocessor's combined L1 cache and
     *     shared memory that should be shared memory; or null
     * @return a new configuration
     */
    public LaunchConfig withPreferredSharedMemoryCarveout(Integer preferredSharedMemoryCarveout) {
        return new LaunchConfig(
                grid, cluster, block, shmemSize, isCooperative, programmaticStreamSerialization, priority,
                preferredSharedMemoryCarveout, memorySyncDomain, memorySyncDomainMap, accessPolicyWindow);
    }

    /**
     * A copy with another value for one component.
     *
     * @param memorySyncDomain the domain whose writes the kernel's memory fences wait for; or null
     * @return a new configuration
     */
    public LaunchConfig withMemorySyncDomain(MemorySyncDomain memorySyncDomain) {
        return new LaunchConfig(
                grid, cluster, block, shmemSize, isCooperative, programmaticStreamSerialization, priority,
                preferredSharedMemoryCarveout, memorySyncDomain, memorySyncDomainMap, accessPolicyWindow);
    }

    /**
     * A copy with another value for one component.
     *
     * @param memorySyncDomainMap the device's hardware domains behind the two domains; or null
     * @return a new configuration
     */
    public LaunchConfig withMemorySyncDomainMap(MemorySyncDomainMap memorySyncDomainMap) {
        return new LaunchConfig(
                grid, cluster, block, shmemSize, isCooperative, programmaticStreamSerialization, priority,
                preferredSharedMemoryCarveout, memorySyncDomain, memorySyncDomainMap, accessPolicyWindow);
    }

    /**
     * A copy with another value for one component.
     *
     * @param accessPolicyWindow how the L2 cache treats one range of memory; or null
     * @return a new configuration
     */
    public LaunchConfig withAccessPolicyWindow(AccessPolicyWindow accessPolicyWindow) {
        return new LaunchConfig(
                grid, cluster, block, shmemSize, isCooperative, programmaticStreamSerialization, priority,
                preferredSharedMemoryCarveout, memorySyncDomain, memorySyncDomainMap, accessPolicyWindow);
    }

    /** Launches with handles that are open and arguments that are packed. */
    void launch(long stream, long kernel, long[] arguments) {
        AccessPolicyWindow window = accessPolicyWindow;
        CuprumNative.cuprum_launch(
                stream, grid.x(), grid.y(), grid.z(), block.x(), block.y(), block.z(), shmemSize, isCooperative ? 1 : 0,
                programmaticStreamSerialization ? 1 : 0, cluster == null ? 0 : cluster.x(),
                cluster == null ? 0 : cluster.y(), cluster == null ? 0 : cluster.z(), priority == null ? 0 : 1,
                priority == null ? 0 : priority, preferredSharedMemoryCarveout == null ? 0 : 1,
                preferredSharedMemoryCarveout == null ? 0 : preferredSharedMemoryCarveout,
                memorySyncDomain == null ? 0 : memorySyncDomain.ordinal() + 1, memorySyncDomainMap == null ? 0 : 1,
                memorySyncDomainMap == null ? 0 : memorySyncDomainMap.defaultDomain(),
                memorySyncDomainMap == null ? 0 : memorySyncDomainMap.remote(), window == null ? 0 : window.hitRatio(),
                window == null ? 0 : window.address(), window == null ? 0 : window.size(),
                window == null ? 0 : window.hit().ordinal() + 1, window == null ? 0 : window.miss().ordinal() + 1, kernel,
                arguments);
    }

    /** Adds a kernel node, or changes one, by the call with that number. All handles are open. */
    void giveToNode(
            long[] node, int call, long graph, long definition, long at, long kernel, long[] arguments) {
        AccessPolicyWindow window = accessPolicyWindow;
        CuprumNative.cuprum_graph_kernel_node(
                node, call, graph, definition, at, grid.x(), grid.y(), grid.z(), block.x(), block.y(), block.z(),
                shmemSize, isCooperative ? 1 : 0, programmaticStreamSerialization ? 1 : 0,
                cluster == null ? 0 : cluster.x(), cluster == null ? 0 : cluster.y(), cluster == null ? 0 : cluster.z(),
                priority == null ? 0 : 1, priority == null ? 0 : priority, preferredSharedMemoryCarveout == null ? 0 : 1,
                preferredSharedMemoryCarveout == null ? 0 : preferredSharedMemoryCarveout,
                memorySyncDomain == null ? 0 : memorySyncDomain.ordinal() + 1, memorySyncDomainMap == null ? 0 : 1,
                memorySyncDomainMap == null ? 0 : memorySyncDomainMap.defaultDomain(),
                memorySyncDomainMap == null ? 0 : memorySyncDomainMap.remote(), window == null ? 0 : window.hitRatio(),
                window == null ? 0 : window.address(), window == null ? 0 : window.size(),
                window == null ? 0 : window.hit().ordinal() + 1, window == null ? 0 : window.miss().ordinal() + 1, kernel,
                arguments);
    }

    /** A function of the C ABI that answers for a kernel, a configuration and a stream. */
    @FunctionalInterface
    interface ClusterQuery {
        void ask(
                int[] answer, long kernel, long gridX, long gridY, long gridZ, long blockX, long blockY, long blockZ,
                long shmemSize, int isCooperative, int programmaticStreamSerialization, long clusterX, long clusterY,
                long clusterZ, int hasPriority, int priority, int hasCarveout, int carveout, int domain, int hasDomainMap,
                long defaultDomain, long remoteDomain, float hitRatio, long address, long size, int hit, int miss,
                long stream);
    }

    /** Asks with handles that are open. Priority, domains and cache have no say in how many clusters fit. */
    int ask(ClusterQuery query, long kernel, long stream) {
        int[] answer = new int[1];
        query.ask(
                answer, kernel, grid.x(), grid.y(), grid.z(), block.x(), block.y(), block.z(), shmemSize,
                isCooperative ? 1 : 0, 0, cluster == null ? 0 : cluster.x(), cluster == null ? 0 : cluster.y(),
                cluster == null ? 0 : cluster.z(), 0, 0, preferredSharedMemoryCarveout == null ? 0 : 1,
                preferredSharedMemoryCarveout == null ? 0 : preferredSharedMemoryCarveout, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                stream);
        return answer[0];
    }
}
