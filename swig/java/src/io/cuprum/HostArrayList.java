package io.cuprum;

import io.cuprum.internal.HostMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Several arrays that C only reads, as the lists of their types, addresses and sizes. */
final class HostArrayList {
    private final HostArray[] arrays;
    private final String[] types;
    private final ByteBuffer addresses;
    private final ByteBuffer sizes;

    /** Java's own arrays are copied. */
    HostArrayList(Object[] given) {
        arrays = new HostArray[given.length];
        types = new String[given.length];
        addresses = ByteBuffer.allocateDirect(Long.BYTES * given.length).order(ByteOrder.nativeOrder());
        sizes = ByteBuffer.allocateDirect(Long.BYTES * given.length).order(ByteOrder.nativeOrder());
        for (int i = 0; i < given.length; ++i) {
            arrays[i] = HostArrays.of(given[i]);
            types[i] = arrays[i].type().text();
            addresses.putLong(Long.BYTES * i, HostArrays.address(arrays[i]));
            sizes.putLong(Long.BYTES * i, HostArrays.size(arrays[i]));
        }
    }

    String[] types() {
        return types;
    }

    /** Where the addresses are, for as long as keep() is called later. */
    long addresses() {
        return HostMemory.addressOf(addresses);
    }

    /** Where the sizes are, in bytes each; for as long as the addresses. */
    long sizes() {
        return HostMemory.addressOf(sizes);
    }

    /** Of either list in bytes. */
    long listSize() {
        return addresses.capacity();
    }

    /** After the call. */
    void keep() {
        Reference.reachabilityFence(arrays);
        Reference.reachabilityFence(addresses);
        Reference.reachabilityFence(sizes);
    }
}
