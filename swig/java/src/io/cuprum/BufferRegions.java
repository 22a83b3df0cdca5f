package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.LongConsumer;

/** Copies and fills of regions, which {@link Buffer} has. */
abstract class BufferRegions extends BufferMembers {
    BufferRegions(long handle, LongConsumer destroy) {
        super(handle, destroy);
    }

    /**
     * Copies host memory without gaps into a region of this buffer; done when it returns.
     *
     * @param source what to copy
     * @param region where to copy to
     * @throws InvalidArgumentException when the region does not fit into this buffer, or the source is too small
     */
    public void copyRegionFrom(java.nio.Buffer source, Region region) {
        copyRegionFrom(source, region, region.packed(), null);
    }

    /**
     * Copies a region of host memory into a region of this buffer. Memory on the Java heap goes through a direct buffer
     * of its size, and its copy is done when this returns.
     *
     * @param source the host memory, from position to limit
     * @param region where to copy to
     * @param sourceRegion what to copy: as many bytes, rows and slices
     * @param stream the stream to copy in; null to wait until the copy is done
     * @throws InvalidArgumentException when a region does not fit into its memory, or the regions have different
     *         shapes
     */
    public void copyRegionFrom(java.nio.Buffer source, Region region, Region sourceRegion, Stream stream) {
        HostMemory.checkByteOrder(source);
        Objects.requireNonNull(region, "region must not be null");
        Objects.requireNonNull(sourceRegion, "sourceRegion must not be null");
        java.nio.Buffer direct = source.isDirect() ? source : HostMemory.directCopyOf(source);
        String operation = Operations.BUFFER_COPY_REGION_FROM_HOST;
        try {
            long buffer = open(operation);
            long streamHandle = stream == null ? 0 : stream.open(operation);
            if (stream != null) {
                stream.keepUntilPassed(direct);
            }
            CuprumNative.cuprum_buffer_copy_region_from_host(buffer, region.width(), region.height(), region.depth(),
                    region.offset(), region.rowPitch(), region.slicePitch(), HostMemory.addressOf(direct),
                    HostMemory.sizeOf(direct), sourceRegion.width(), sourceRegion.height(), sourceRegion.depth(),
                    sourceRegion.offset(), sourceRegion.rowPitch(), sourceRegion.slicePitch(), streamHandle);
            if (stream != null && !source.isDirect()) {
                stream.sync();
            }
        } finally {
            Reference.reachabilityFence(direct);
            Reference.reachabilityFence(stream);
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Copies a region of this buffer to host memory, without gaps; done when it returns.
     *
     * @param destination what to fill
     * @param region what to copy
     * @throws InvalidArgumentException when the region does not fit into this buffer, or the destination is too small
     */
    public void copyRegionTo(java.nio.Buffer destination, Region region) {
        copyRegionTo(destination, region, region.packed(), null);
    }

    /**
     * Copies a region of this buffer to a region of host memory. Memory on the Java heap goes through a direct buffer of
     * its size, and its copy is done when this returns.
     *
     * @param destination the host memory, from position to limit
     * @param region what to copy
     * @param destinationRegion where to copy to: as many bytes, rows and slices
     * @param stream the stream to copy in; null to wait until the copy is done
     * @throws InvalidArgumentException when a region does not fit into its memory, or the regions have different
     *         shapes
     */
    public void copyRegionTo(java.nio.Buffer destination, Region region, Region destinationRegion, Stream stream) {
        HostMemory.checkByteOrder(destination);
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("cannot copy to a read-only buffer: " + destination);
        }
        Objects.requireNonNull(region, "region must not be null");
        Objects.requireNonNull(destinationRegion, "destinationRegion must not be null");
        java.nio.Buffer direct = destination.isDirect() ? destination : HostMemory.directCopyOf(destination);
        String operation = Operations.BUFFER_COPY_REGION_TO_HOST;
        try {
            long buffer = open(operation);
            long streamHandle = stream == null ? 0 : stream.open(operation);
            if (stream != null) {
                stream.keepUntilPassed(direct);
            }
            CuprumNative.cuprum_buffer_copy_region_to_host(HostMemory.addressOf(direct), HostMemory.sizeOf(direct),
                    destinationRegion.width(), destinationRegion.height(), destinationRegion.depth(),
                    destinationRegion.offset(), destinationRegion.rowPitch(), destinationRegion.slicePitch(), buffer,
                    region.width(), region.height(), region.depth(), region.offset(), region.rowPitch(),
                    region.slicePitch(), streamHandle);
            if (!destination.isDirect()) {
                if (stream != null) {
                    stream.sync();
                }
                HostMemory.copyBack((ByteBuffer) direct, destination);
            }
        } finally {
            Reference.reachabilityFence(direct);
            Reference.reachabilityFence(stream);
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Copies a region of another buffer into a region of this one, in stream order.
     *
     * @param source the buffer to copy from
     * @param region where to copy to
     * @param sourceRegion what to copy: as many bytes, rows and slices
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when a region does not fit into its buffer, the regions have different shapes, or
     *         they overlap
     */
    public void copyRegionFrom(Buffer source, Region region, Region sourceRegion, Stream stream) {
        Objects.requireNonNull(region, "region must not be null");
        Objects.requireNonNull(sourceRegion, "sourceRegion must not be null");
        String operation = Operations.BUFFER_COPY_REGION;
        with(operation, destination -> source.with(operation, from -> stream.with(operation, in -> {
            CuprumNative.cuprum_buffer_copy_region(destination, region.width(), region.height(), region.depth(),
                    region.offset(), region.rowPitch(), region.slicePitch(), from, sourceRegion.width(),
                    sourceRegion.height(), sourceRegion.depth(), sourceRegion.offset(), sourceRegion.rowPitch(),
                    sourceRegion.slicePitch(), in);
            return null;
        })));
    }

    /**
     * Fills a region, in stream order. Its width, its pitches and the address of its first row are multiples of the
     * pattern's size.
     *
     * @param region what to fill
     * @param pattern the pattern, in the lowest bytes
     * @param patternSize the pattern's bytes: 1, 2 or 4
     * @param stream the stream to fill in
     * @throws InvalidArgumentException when the region does not fit into this buffer, or does not suit the pattern
     */
    public void fillRegion(Region region, int pattern, int patternSize, Stream stream) {
        Objects.requireNonNull(region, "region must not be null");
        String operation = Operations.BUFFER_FILL_REGION;
        with(operation, buffer -> stream.with(operation, in -> {
            CuprumNative.cuprum_buffer_fill_region(buffer, region.width(), region.height(), region.depth(),
                    region.offset(), region.rowPitch(), region.slicePitch(), Integer.toUnsignedLong(pattern),
                    patternSize, in);
            return null;
        }));
    }
}
