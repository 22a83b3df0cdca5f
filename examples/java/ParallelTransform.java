// A transformation: of pairs over arrays, and on the device with an operator whose state is given at each call, and of
// three inputs.
// usage: java -cp cuprum.jar:examples ParallelTransform

import io.cuprum.Buffer;
import io.cuprum.CallOptions;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.Stream;
import io.cuprum.Transform;
import io.cuprum.Value;
import java.util.stream.IntStream;

public final class ParallelTransform {
    private ParallelTransform() {}

    public static void main(String[] arguments) {
        int[] data = IntStream.range(0, 10000).toArray();
        int[] pairs = new int[data.length];
        Parallel.transform(data, data, "a * 3 - b", pairs);

        ElementType scale = ElementType.structure("Scale", ElementType.field("factor", ElementType.FLOAT64));
        double[] scaled = new double[data.length];
        boolean ok = true;
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer input = device.allocate((long) data.length * Integer.BYTES);
                Buffer output = device.allocate((long) data.length * Double.BYTES);
                ElementIterator elements = ElementIterator.of(ElementType.INT32, input);
                Operator times = new Operator("a * factor", Value.of(scale, 1));
                Transform transform = new Transform(device, elements, times, ElementType.FLOAT64)) {
            input.copyFrom(data);
            for (double factor : new double[] {0.5, 2}) {    // no second build: the state is an argument of the kernel
                try (Operator withFactor = times.withState(Value.of(scale, factor))) {
                    CallOptions options = new CallOptions().op(withFactor);
                    transform.call(stream, elements, null, output, data.length, options);
                    output.copyTo(scaled, stream);
                }
                for (int i = 0; i < data.length; ++i) {
                    ok = ok && pairs[i] == 2 * data[i] && scaled[i] == data[i] * factor;
                }
            }
            double[] sums = new double[data.length];
            try (ElementIterator half = ElementIterator.constant(ElementType.FLOAT64, 0.5);
                    Operator formula = Operator.of(3, x -> x[0].times(1.0).times(x[1]).plus(x[2]))) {
                ElementIterator[] inputs = {elements, elements, half};
                try (Transform ofThree = new Transform(device, inputs, formula, ElementType.FLOAT64)) {
                    ofThree.call(stream, inputs, output, data.length);
                    output.copyTo(sums, stream);
                }
            }
            for (int i = 0; i < data.length; ++i) {
                ok = ok && sums[i] == (double) data[i] * data[i] + 0.5;
            }
        }
        System.out.println("last " + pairs[9999] + " and " + scaled[9999] + ": " + (ok ? "ok" : "WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
