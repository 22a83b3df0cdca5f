package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A tensor map: what the tensor memory accelerator of a device (compute capability 9.0) copies boxes of a tensor by. A
 * kernel takes it as {@code const __grid_constant__ CUtensorMap}. It keeps no memory.
 */
public final class TensorMapDescriptor {
    private static final int BYTES = 128;
    /** The size of cuprum_tensor_map_description. */
    private static final int DESCRIPTION_BYTES = 192;

    private final int deviceId;
    private ByteBuffer bytes; // direct, so that C can read it in place

    private TensorMapDescriptor(int deviceId, ByteBuffer bytes) {
        this.deviceId = deviceId;
        this.bytes = bytes;
    }

    /**
     * Boxes of a tensor.
     *
     * @param device the device whose memory it is in
     * @param tensor the tensor
     * @param boxDim the elements of a box in each dimension, 1 to 256
     * @param options the rest
     * @return the map
     * @throws InvalidArgumentException when ranks differ
     * @throws UnsupportedException when the device has no tensor maps
     */
    public static TensorMapDescriptor tiled(
            Device device, TensorMapTensor tensor, int[] boxDim, TensorMapDescriptorOptions options) {
        return encode(device, 0, tensor, boxDim, new int[0], new int[0], 0, 0, options);
    }

    /**
     * Columns of pixels, as convolutions want them, of tensors of 3 to 5 dimensions.
     *
     * @param device the device whose memory it is in
     * @param tensor the tensor
     * @param pixelBoxLowerCorner an offset for each dimension but the first and the last
     * @param pixelBoxUpperCorner the same, from the tensor's last pixel
     * @param channelsPerPixel elements of the last dimension
     * @param pixelsPerColumn pixels of a column
     * @param options the rest
     * @return the map
     */
    public static TensorMapDescriptor im2col(
            Device device, TensorMapTensor tensor, int[] pixelBoxLowerCorner, int[] pixelBoxUpperCorner,
            int channelsPerPixel, int pixelsPerColumn, TensorMapDescriptorOptions options) {
        requireLength("a corner", pixelBoxLowerCorner, tensor.shape().length - 2);
        requireLength("a corner", pixelBoxUpperCorner, tensor.shape().length - 2);
        return encode(device, 1, tensor, new int[0], pixelBoxLowerCorner, pixelBoxUpperCorner, channelsPerPixel,
                pixelsPerColumn, options);
    }

    /**
     * Columns along the dimension before the last alone (compute capability 10.0).
     *
     * @param device the device whose memory it is in
     * @param tensor the tensor
     * @param pixelBoxLowerCornerWidth an offset from the first pixel
     * @param pixelBoxUpperCornerWidth an offset from the last pixel
     * @param channelsPerPixel elements of the last dimension
     * @param pixelsPerColumn pixels of a column
     * @param w128 columns of 128 pixels
     * @param options the rest
     * @return the map
     */
    public static TensorMapDescriptor im2colWide(
            Device device, TensorMapTensor tensor, int pixelBoxLowerCornerWidth, int pixelBoxUpperCornerWidth,
            int channelsPerPixel, int pixelsPerColumn, boolean w128, TensorMapDescriptorOptions options) {
        return encode(device, w128 ? 3 : 2, tensor, new int[0], new int[] {pixelBoxLowerCornerWidth},
                new int[] {pixelBoxUpperCornerWidth}, channelsPerPixel, pixelsPerColumn, options);
    }

    /**
     * The same tensor elsewhere.
     *
     * @param address the address of its first element
     */
    public void replaceAddress(long address) {
        byte[][] map = new byte[1][];
        CuprumNative.cuprum_tensor_map_replace_address(
                map, deviceId, CuprumNative.host_address(bytes), bytes.capacity(), address);
        Reference.reachabilityFence(bytes);
        bytes = direct(map[0]);
    }

    /** {@return the device whose memory it is of} */
    public Device device() {
        return new Device(deviceId);
    }

    /** {@return a copy of its 128 bytes} */
    public byte[] bytes() {
        byte[] copy = new byte[BYTES];
        bytes.get(0, copy);
        return copy;
    }

    @Override
    public String toString() {
        return "TensorMapDescriptor of device " + deviceId;
    }

    /** Where C reads it, as long as this is reachable. */
    long address() {
        return CuprumNative.host_address(bytes);
    }

    static int size() {
        return BYTES;
    }

    private static TensorMapDescriptor encode(
            Device device, int mode, TensorMapTensor tensor, int[] box, int[] lower, int[] upper, int channels,
            int pixels, TensorMapDescriptorOptions options) {
        Objects.requireNonNull(options, "options must not be null");
        int rank = tensor.shape().length;
        if (rank < 1 || rank > 5) {
            throw new IllegalArgumentException("a tensor map has 1 to 5 dimensions, not " + rank);
        }
        if (mode == 0) {
            requireLength("boxDim", box, rank);
        }
        if (options.elementStrides() != null) {
            requireLength("elementStrides", options.elementStrides(), rank);
        }
        if (tensor.strides() != null && tensor.strides().length != rank) {
            throw new IllegalArgumentException("strides must have " + rank + " numbers, not " + tensor.strides().length);
        }
        ByteBuffer description = ByteBuffer.allocateDirect(DESCRIPTION_BYTES).order(ByteOrder.nativeOrder());
        description.putInt(DESCRIPTION_BYTES).putInt(mode).putInt(tensor.dataType().ordinal()).putInt(rank)
                .putLong(tensor.address()).putInt(options.interleave()).putInt(options.swizzle())
                .putInt(options.l2Promotion()).putInt(options.nanFill() ? 1 : 0);
        put(description, tensor.shape());
        put(description, tensor.strides());
        put(description, box, 5);
        put(description, options.elementStrides(), 5);
        put(description, lower, 3);
        put(description, upper, 3);
        description.putInt(channels).putInt(pixels);
        byte[][] map = new byte[1][];
        CuprumNative.cuprum_tensor_map_encode(
                map, device.deviceId(), CuprumNative.host_address(description), description.capacity());
        Reference.reachabilityFence(description);
        return new TensorMapDescriptor(device.deviceId(), direct(map[0]));
    }

    private static void requireLength(String what, int[] numbers, int length) {
        if (numbers.length != length) {
            throw new IllegalArgumentException(what + " must have " + length + " numbers, not " + numbers.length);
        }
    }

    private static void put(ByteBuffer description, long[] numbers) {
        for (int i = 0; i < 5; ++i) {
            description.putLong(numbers != null && i < numbers.length ? numbers[i] : 0);
        }
    }

    private static void put(ByteBuffer description, int[] numbers, int room) {
        for (int i = 0; i < room; ++i) {
            description.putInt(numbers != null && i < numbers.length ? numbers[i] : 0);
        }
    }

    private static ByteBuffer direct(byte[] map) {
        return ByteBuffer.allocateDirect(map.length).put(0, map);
    }
}
