// Two processes: a stream of the second one waits for an event that the first one has recorded.
// usage: java -cp cuprum.jar:examples SharedEvents

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.Event;
import io.cuprum.EventOptions;
import io.cuprum.Stream;
import java.io.IOException;
import java.util.HexFormat;

public final class SharedEvents {
    private SharedEvents() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Device device = new Device(0);
        System.exit((arguments.length == 1 ? secondProcess(device, arguments[0]) : firstProcess(device)) ? 0 : 1);
    }

    private static boolean firstProcess(Device device) throws IOException, InterruptedException {
        try (Stream stream = device.createStream();
                Buffer buffer = device.allocate(1 << 20, stream);
                Event event = device.createEvent(EventOptions.ipc())) {
            for (int value = 0; value < 10; ++value) {
                buffer.fill(value, 1, stream);
            }
            stream.record(event);
            // The bytes that the event travels as, in an argument of the program.
            int status = runThisProgramWith(HexFormat.of().formatHex(event.ipcHandle()));
            boolean right = status == 0 && event.isDone();
            System.out.printf("another process waited for an event of this one on %s: %s%n", device.name(),
                    right ? "right" : "wrong");
            return right;
        }
    }

    private static int runThisProgramWith(String argument) throws IOException, InterruptedException {
        String java = ProcessHandle.current().info().command().orElse("java");
        return new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "SharedEvents", argument)
                .inheritIO().start().waitFor();
    }

    private static boolean secondProcess(Device device, String text) {
        try (Event event = Event.fromIpcHandle(device, HexFormat.of().parseHex(text), false);
                Stream stream = device.createStream()) {
            stream.waitFor(event);
            stream.sync();
            return event.isDone();
        }
    }
}
