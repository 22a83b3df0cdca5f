// Both extremes in one sweep: between which temperatures a day was.
// usage: java -cp cuprum.jar:examples ParallelMinMax

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.MinMax;
import io.cuprum.Stream;
import java.util.Arrays;

public final class ParallelMinMax {
    private ParallelMinMax() {}

    public static void main(String[] arguments) {
        float[] hostTemperatures = {3.5f, -1.25f, 8.0f, 12.75f, 6.5f};
        float[] foundExtremes = new float[2];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer temperatures = device.allocate(5L * Float.BYTES);
                Buffer extremes = device.allocate(2L * Float.BYTES);
                ElementIterator inTemperatures = ElementIterator.of(ElementType.FLOAT32, temperatures);
                MinMax algorithm = new MinMax(device, inTemperatures)) {
            temperatures.copyFrom(hostTemperatures);
            algorithm.call(stream, inTemperatures, extremes, 5);
            stream.sync();
            extremes.copyTo(foundExtremes);
        }
        boolean ok = Arrays.equals(foundExtremes, new float[] {-1.25f, 12.75f});
        System.out.println(ok ? "ok" : "WRONG");
        System.exit(ok ? 0 : 1);
    }
}
