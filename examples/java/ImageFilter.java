// Images: a kernel blurs a picture, which it reads through a texture and writes through a surface.
// usage: java -cp cuprum.jar:examples ImageFilter

import io.cuprum.ArrayFormat;
import io.cuprum.ArrayShape;
import io.cuprum.Device;
import io.cuprum.Dimensions;
import io.cuprum.FilterMode;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.OpaqueArray;
import io.cuprum.OpaqueArrayOptions;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.ResourceDescriptor;
import io.cuprum.Stream;
import io.cuprum.SurfaceObject;
import io.cuprum.TextureObject;
import io.cuprum.TextureObjectOptions;
import java.nio.FloatBuffer;

public final class ImageFilter {
    // A read half way between four pixels gives their mean; outside the picture its edge goes on.
    private static final String SOURCE = """
            extern "C" __global__ void blur(cudaSurfaceObject_t to, cudaTextureObject_t from, int width, int height) {
                int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
                if (x >= width || y >= height) return;
                float sum = tex2D<float>(from, x, y) + tex2D<float>(from, x + 1, y) + tex2D<float>(from, x, y + 1) +
                            tex2D<float>(from, x + 1, y + 1);
                surf2Dwrite(sum / 4, to, 4 * x, y);
            }
            """;
    private static final int WIDTH = 640;
    private static final int HEIGHT = 480;

    private ImageFilter() {}

    private static float pixel(int x, int y) {
        return (Math.max(0, Math.min(x, WIDTH - 1)) * 7 + Math.max(0, Math.min(y, HEIGHT - 1)) * 13) % 256;
    }

    private static float blurred(int x, int y) {
        float sum = 0;
        for (int j = -1; j <= 1; ++j) {
            for (int i = -1; i <= 1; ++i) {
                sum += (2 - Math.abs(i)) * (2 - Math.abs(j)) * pixel(x + i, y + j);
            }
        }
        return sum / 16;
    }

    public static void main(String[] arguments) {
        Device device = new Device(0);
        float[] picture = new float[WIDTH * HEIGHT];
        for (int k = 0; k < picture.length; ++k) {
            picture[k] = pixel(k % WIDTH, k / WIDTH);
        }
        float[] result = new float[picture.length];
        ArrayShape shape = new ArrayShape(WIDTH, HEIGHT);
        try (Program program = new Program(SOURCE, new ProgramOptions().name("blur.cu"));
                ObjectCode code = program.compile();
                Kernel blur = code.getKernel("blur");
                Stream stream = device.createStream();
                OpaqueArray before =
                        device.createOpaqueArray(new OpaqueArrayOptions(shape, ArrayFormat.FLOAT32, 1));
                OpaqueArray after =
                        device.createOpaqueArray(new OpaqueArrayOptions(shape, ArrayFormat.FLOAT32, 1, true));
                TextureObject texture = device.createTextureObject(ResourceDescriptor.fromOpaqueArray(before),
                        new TextureObjectOptions().filterMode(FilterMode.LINEAR));
                SurfaceObject surface = device.createSurfaceObject(ResourceDescriptor.fromOpaqueArray(after))) {
            before.copyFrom(FloatBuffer.wrap(picture), stream);
            LaunchConfig config =
                    new LaunchConfig(new Dimensions((WIDTH + 127) / 128, HEIGHT, 1), new Dimensions(128, 1, 1));
            stream.launch(config, blur, surface, texture, WIDTH, HEIGHT);
            after.copyTo(FloatBuffer.wrap(result), stream);
            stream.sync();
        }
        int wrong = 0;
        for (int k = 0; k < result.length; ++k) {
            wrong += Math.abs(result[k] - blurred(k % WIDTH, k / WIDTH)) > 1e-3f ? 1 : 0;
        }
        System.out.printf("a picture of %d x %d pixels, blurred on %s: %d wrong%n", WIDTH, HEIGHT, device.name(), wrong);
        System.exit(wrong == 0 ? 0 : 1);
    }
}
