package io.cuprum;

import io.cuprum.internal.CuprumNative;

/** The attributes of a kernel that can be set ({@link Kernel#setAttribute}), with the driver's numbers. */
public enum KernelAttribute {
    /** The most dynamic shared memory that a launch may request, in bytes for each block. */
    MAX_DYNAMIC_SHARED_SIZE_BYTES(CuprumNative.CUPRUM_KERNEL_MAX_DYNAMIC_SHARED_SIZE_BYTES),
    /** The percentage of a multiprocessor's memory for shared memory; -1 leaves it to the driver. */
    PREFERRED_SHARED_MEMORY_CARVEOUT(CuprumNative.CUPRUM_KERNEL_PREFERRED_SHARED_MEMORY_CARVEOUT),
    /** The width of a cluster in blocks; 0 for none. */
    REQUIRED_CLUSTER_WIDTH(CuprumNative.CUPRUM_KERNEL_REQUIRED_CLUSTER_WIDTH),
    /** The height of a cluster in blocks; 0 for none. */
    REQUIRED_CLUSTER_HEIGHT(CuprumNative.CUPRUM_KERNEL_REQUIRED_CLUSTER_HEIGHT),
    /** The depth of a cluster in blocks; 0 for none. */
    REQUIRED_CLUSTER_DEPTH(CuprumNative.CUPRUM_KERNEL_REQUIRED_CLUSTER_DEPTH),
    /** 1 allows clusters of more than 8 blocks, which not every device supports. */
    NON_PORTABLE_CLUSTER_SIZE_ALLOWED(CuprumNative.CUPRUM_KERNEL_NON_PORTABLE_CLUSTER_SIZE_ALLOWED),
    /** How clusters are distributed over a device: a CUclusterSchedulingPolicy. */
    CLUSTER_SCHEDULING_POLICY_PREFERENCE(CuprumNative.CUPRUM_KERNEL_CLUSTER_SCHEDULING_POLICY_PREFERENCE);

    final int value;

    KernelAttribute(int value) {
        this.value = value;
    }
}
