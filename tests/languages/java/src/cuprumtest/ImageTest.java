package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.AddressMode;
import io.cuprum.ArrayFormat;
import io.cuprum.ArrayShape;
import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.FilterMode;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.MipmappedArray;
import io.cuprum.MipmappedArrayOptions;
import io.cuprum.ObjectCode;
import io.cuprum.OpaqueArray;
import io.cuprum.OpaqueArrayOptions;
import io.cuprum.Program;
import io.cuprum.ResourceDescriptor;
import io.cuprum.Stream;
import io.cuprum.SurfaceObject;
import io.cuprum.TextureObject;
import io.cuprum.TextureObjectOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Arrays, texture and surface objects. */
@ExtendWith(NoLeaks.class)
class ImageTest {
    private static final String SOURCE = """
            extern "C" __global__ void read(float* out, cudaTextureObject_t t, int width, int height) {
                int x = threadIdx.x, y = blockIdx.x;
                if (x < width && y < height) out[y * width + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
            }
            extern "C" __global__ void between(float* out, cudaTextureObject_t t, float x, float y) {
                *out = tex2D<float>(t, x, y);
            }
            extern "C" __global__ void fetch(float* out, cudaTextureObject_t t) {
                out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
            }
            extern "C" __global__ void level(float* out, cudaTextureObject_t t, float detail) {
                *out = tex2DLod<float>(t, 0.5f, 0.5f, detail);
            }
            extern "C" __global__ void write(cudaSurfaceObject_t s) {
                surf2Dwrite((float)(100 * blockIdx.x + threadIdx.x), s, 4 * threadIdx.x, blockIdx.x);
            }
            """;
    private final Device device = new Device(0);

    private float[] run(String name, int count, LaunchConfig config, Object... rest) {
        float[] values = new float[count];
        try (Program program = new Program(SOURCE);
                ObjectCode code = program.compile();
                Kernel kernel = code.getKernel(name);
                Stream stream = device.createStream();
                Buffer out = device.allocate(4L * count)) {
            Object[] arguments = new Object[rest.length + 1];
            arguments[0] = out;
            System.arraycopy(rest, 0, arguments, 1, rest.length);
            stream.launch(config, kernel, arguments);
            stream.sync();
            out.copyTo(values);
        }
        return values;
    }

    private OpaqueArray image(ArrayShape shape, boolean forSurfaces, float... values) {
        OpaqueArray array =
                device.createOpaqueArray(new OpaqueArrayOptions(shape, ArrayFormat.FLOAT32, 1, forSurfaces));
        try (Stream stream = device.createStream()) {
            array.copyFrom(FloatBuffer.wrap(values), stream);
        }
        return array;
    }

    @Test
    void anArrayKnowsItsShape() {
        try (OpaqueArray array = device.createOpaqueArray(
                new OpaqueArrayOptions(new ArrayShape(6, 4, 2), ArrayFormat.UINT16, 4, true))) {
            assertEquals(new ArrayShape(6, 4, 2), array.shape());
            assertEquals(ArrayFormat.UINT16, array.format());
            assertEquals(4, array.numChannels());
            assertEquals(8, array.elementBytes());
            assertEquals(6 * 4 * 2 * 8, array.sizeBytes());
            assertTrue(array.isSurfaceLoadStore());
            assertEquals(device, array.device());
            assertTrue(array.handle() != 0);
            try (OpaqueArray borrowed = OpaqueArray.fromHandle(array.handle(), device)) {
                assertEquals(array.shape(), borrowed.shape());
            }
            assertFalse(array.isClosed());
        }
    }

    @Test
    void elementsGoInAndOut() {
        float[] values = {1, 2, 3, 4, 5, 6};
        FloatBuffer direct = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder()).asFloatBuffer();
        float[] heap = new float[6];
        try (OpaqueArray first = image(new ArrayShape(3, 2), false, values);
                OpaqueArray second = image(new ArrayShape(3, 2), false, new float[6]);
                Stream stream = device.createStream();
                Buffer between = device.allocate(24)) {
            first.copyTo(between, stream);
            second.copyFrom(between, stream);
            second.copyTo(direct, stream);
            second.copyTo(FloatBuffer.wrap(heap), stream);
            stream.sync();
        }
        float[] found = new float[6];
        direct.get(found);
        assertArrayEquals(values, found);
        assertArrayEquals(values, heap);
    }

    @Test
    void aTextureReadsAnArrayThatItKeeps() {
        OpaqueArray array = image(new ArrayShape(3, 2), false, 1, 2, 3, 4, 5, 6);
        ResourceDescriptor resource = ResourceDescriptor.fromOpaqueArray(array);
        try (TextureObject texture = device.createTextureObject(
                resource, new TextureObjectOptions().filterMode(FilterMode.LINEAR))) {
            array.close();
            assertArrayEquals(
                    new float[] {1, 2, 3, 4, 5, 6}, run("read", 6, new LaunchConfig(2, 3), texture, 3, 2));
            assertArrayEquals(new float[] {3}, run("between", 1, new LaunchConfig(1, 1), texture.handle(), 1f, 1f));
            assertEquals(FilterMode.LINEAR, texture.options().filterMode());
            assertEquals(resource, texture.resource());
        }
        assertThrows(InvalidStateException.class, () -> device.createTextureObject(resource));
    }

    @Test
    void outsideIsWhatTheAddressModeSays() {
        try (OpaqueArray array = image(new ArrayShape(2, 2), false, 1, 2, 3, 4)) {
            ResourceDescriptor resource = ResourceDescriptor.fromOpaqueArray(array);
            AddressMode[] modes = {AddressMode.CLAMP, AddressMode.BORDER, AddressMode.WRAP, AddressMode.MIRROR};
            float[] expected = {2, 9, 1, 2};
            for (int k = 0; k < 4; ++k) {
                boolean normalized = k > 1;
                TextureObjectOptions options = new TextureObjectOptions().addressMode(modes[k])
                        .normalizedCoords(normalized).borderColor(9, 0, 0, 0);
                try (TextureObject texture = device.createTextureObject(resource, options)) {
                    assertArrayEquals(new float[] {expected[k]}, run("between", 1, new LaunchConfig(1, 1), texture,
                            normalized ? 1.25f : 7f, normalized ? 0.25f : 0.5f));
                }
            }
        }
    }

    @Test
    void aTextureReadsABuffer() {
        float[] values = new float[256];
        for (int k = 0; k < values.length; ++k) {
            values[k] = k;
        }
        try (Buffer memory = device.allocate(1024)) {
            memory.copyFrom(values);
            try (TextureObject linear = device.createTextureObject(
                            ResourceDescriptor.fromLinear(memory, ArrayFormat.FLOAT32, 1, 16));
                    TextureObject rows = device.createTextureObject(
                            ResourceDescriptor.fromPitch2d(memory, ArrayFormat.FLOAT32, 1, 3, 2, 512))) {
                assertArrayEquals(new float[] {0, 1, 2, 3, 0, 0}, run("fetch", 6, new LaunchConfig(1, 6), linear));
                assertArrayEquals(
                        new float[] {0, 1, 2, 128, 129, 130}, run("read", 6, new LaunchConfig(2, 3), rows, 3, 2));
            }
        }
    }

    @Test
    void levelsAreArrays() {
        try (MipmappedArray pyramid = device.createMipmappedArray(
                        new MipmappedArrayOptions(new ArrayShape(4, 4), ArrayFormat.FLOAT32, 1, 3));
                Stream stream = device.createStream()) {
            assertEquals(3, pyramid.numLevels());
            assertEquals(new ArrayShape(4, 4), pyramid.shape());
            for (int level = 0; level < 3; ++level) {
                float[] values = new float[16 >> 2 * level];
                java.util.Arrays.fill(values, 10 * level);
                try (OpaqueArray part = pyramid.getLevel(level)) {
                    assertEquals(4 >> level, part.shape().width());
                    part.copyFrom(FloatBuffer.wrap(values), stream);
                }
            }
            try (TextureObject texture = device.createTextureObject(ResourceDescriptor.fromMipmappedArray(pyramid),
                    new TextureObjectOptions().normalizedCoords(true).mipmapFilterMode(FilterMode.LINEAR)
                            .mipmapLevelClamp(0, 2))) {
                assertArrayEquals(new float[] {15}, run("level", 1, new LaunchConfig(1, 1), texture, 1.5f));
            }
            assertThrows(InvalidArgumentException.class, () -> pyramid.getLevel(3));
        }
    }

    @Test
    void aSurfaceWritesWhatATextureReads() {
        try (OpaqueArray array = image(new ArrayShape(3, 2), true, new float[6]);
                SurfaceObject surface = device.createSurfaceObject(ResourceDescriptor.fromOpaqueArray(array));
                TextureObject texture = device.createTextureObject(ResourceDescriptor.fromOpaqueArray(array));
                Program program = new Program(SOURCE);
                ObjectCode code = program.compile();
                Kernel write = code.getKernel("write");
                Stream stream = device.createStream()) {
            stream.launch(new LaunchConfig(2, 3), write, surface);
            stream.sync();
            assertArrayEquals(
                    new float[] {0, 1, 2, 100, 101, 102}, run("read", 6, new LaunchConfig(2, 3), texture, 3, 2));
        }
    }

    @Test
    void mistakesAreNamed() {
        try (OpaqueArray plain = image(new ArrayShape(2), false, 1, 2);
                Stream stream = device.createStream();
                Buffer small = device.allocate(4)) {
            ResourceDescriptor resource = ResourceDescriptor.fromOpaqueArray(plain);
            assertTrue(assertThrows(InvalidArgumentException.class, () -> device.createSurfaceObject(resource))
                    .getMessage().contains("was not made for surfaces"));
            assertThrows(InvalidArgumentException.class, () -> plain.copyTo(small, stream));
            assertThrows(InvalidArgumentException.class, () -> plain.copyFrom(FloatBuffer.wrap(new float[1]), stream));
            assertThrows(IllegalArgumentException.class,
                    () -> plain.copyTo(FloatBuffer.wrap(new float[2]).asReadOnlyBuffer(), stream));
            for (int channels : new int[] {0, 3, -1}) {
                assertThrows(InvalidArgumentException.class, () -> device.createOpaqueArray(
                        new OpaqueArrayOptions(new ArrayShape(4), ArrayFormat.UINT8, channels)));
            }
            assertThrows(InvalidArgumentException.class, () -> device.createOpaqueArray(
                    new OpaqueArrayOptions(new ArrayShape(0), ArrayFormat.UINT8, 1)));
            assertThrows(InvalidArgumentException.class, () -> device.createMipmappedArray(
                    new MipmappedArrayOptions(new ArrayShape(2), ArrayFormat.UINT8, 1, 3)));
            assertThrows(InvalidArgumentException.class,
                    () -> device.createTextureObject(
                            ResourceDescriptor.fromLinear(small, ArrayFormat.FLOAT32, 1, 8)));
            assertThrows(IllegalArgumentException.class,
                    () -> new TextureObjectOptions().addressMode(new AddressMode[0]));
            assertThrows(IllegalArgumentException.class, () -> device.createSurfaceObject(
                    ResourceDescriptor.fromLinear(small, ArrayFormat.FLOAT32, 1)));
        }
    }

    @Test
    void closedObjectsSaySo() {
        OpaqueArray array = image(new ArrayShape(2), false, 1, 2);
        TextureObject texture = device.createTextureObject(ResourceDescriptor.fromOpaqueArray(array));
        texture.close();
        texture.close();
        array.close();
        assertThrows(InvalidStateException.class, array::shape);
        assertThrows(InvalidStateException.class, texture::handle);
        assertThrows(InvalidStateException.class, () -> run("between", 1, new LaunchConfig(1, 1), texture, 0f, 0f));
    }
}
