package cuprumtest;

import io.cuprum.Buffer;
import io.cuprum.CodeType;
import io.cuprum.Cuprum;
import io.cuprum.CuprumException;
import io.cuprum.Device;
import io.cuprum.DeviceMemoryResource;
import io.cuprum.DeviceFaultException;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Event;
import io.cuprum.Finding;
import io.cuprum.InvalidArgumentException;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.MemoryAllocator;
import io.cuprum.NotFoundException;
import io.cuprum.ObjectCode;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Pathfinder;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Reduce;
import io.cuprum.Stream;
import io.cuprum.UserMemoryResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What tests run in a process of their own. Prints what the parent looks at; any surprise is a non-zero exit. */
public final class Child {
    private Child() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "version" -> System.out.println("version " + Cuprum.version());
            case "no-toolkit" -> withoutToolkit();
            case "no-driver" -> withoutDriver();
            case "unknown-driver" -> print(failure(InvalidArgumentException.class, () -> new Device(0)));
            case "shared-event" -> sharedEvent();
            case "fault" -> fault();
            case "provoke-faults" -> Mistakes.main(new String[] {"faults"});
            case "exit-with-work" -> exitWithWork();
            case "exit-with-endless-kernel" -> exitWithEndlessKernel();
            case "exit-with-every-object" -> exitWithEveryObject();
            case "another-device" -> anotherDevice();
            case "exit-with-user-memory" -> exitWithUserMemory();
            case "every-function" -> EveryFunction.call();
            case "describe-every-function" -> EveryFunction.describe(arguments[1]);
            case "refuse-arguments" -> EveryFunction.refuse(arguments[1]);
            case "nccl-rank" -> NcclRank.run();
            case "no-nccl" -> NcclRank.withoutNccl();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static <T extends CuprumException> T failure(Class<T> type, Action action) throws Exception {
        try {
            action.run();
        } catch (CuprumException error) {
            if (type.isInstance(error)) {
                return type.cast(error);
            }
            throw error;
        }
        throw new AssertionError("no " + type.getSimpleName());
    }

    private static void print(CuprumException error) {
        System.out.println(error.status() + " advice=[" + error.advice() + "]\n" + error.getMessage());
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    private static void withoutToolkit() throws Exception {
        List<Finding> findings = Pathfinder.diagnose();
        require(findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.ERROR
                && finding.subject().equals("toolkit") && finding.remedy().contains("pip install nvidia-cuda-nvrtc")),
                findings.toString());
        try (Program program = new Program(Fixtures.SAXPY)) {
            print(failure(NotFoundException.class, () -> program.compile(CodeType.PTX).close()));
            failure(NotFoundException.class, () -> program.compile(CodeType.PTX).close());
        }
        // What needs no toolkit goes on.
        try (Buffer buffer = new Device(0).allocate(8)) {
            buffer.copyFrom(new long[] {Fixtures.WIDE});
            long[] back = new long[1];
            buffer.copyTo(back);
            require(back[0] == Fixtures.WIDE, "copied " + back[0]);
        }
        require(Cuprum.liveHandles() == 0, "live handles: " + Cuprum.liveHandles());
    }

    private static void withoutDriver() throws Exception {
        failure(NotFoundException.class, () -> new Device(0));
        print(failure(NotFoundException.class, () -> new Device(0)));
        // Compiling needs no driver.
        try (Program program = new Program(Fixtures.SAXPY, new ProgramOptions().arch("compute_75"));
                ObjectCode code = program.compile(CodeType.PTX)) {
            require(new String(code.code()).contains("saxpy"), "no kernel in the PTX");
        }
        require(Cuprum.liveHandles() == 0, "live handles: " + Cuprum.liveHandles());
    }

    /** Of ContextTest. */
    private static void sharedEvent() {
        String digits = System.getenv("CUPRUM_TEST_EVENT");
        byte[] handle = new byte[digits.length() / 2];
        for (int i = 0; i < handle.length; ++i) {
            handle[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
        }
        Device device = new Device(0);
        try (Event event = Event.fromIpcHandle(device, handle, true);
                Stream stream = device.createStream()) {
            stream.waitFor(event);
            stream.sync();
            System.out.println("done: " + (event.isDone() && event.isIpcEnabled() && event.isBlockingSync()));
        }
    }

    private static void fault() throws Exception {
        Device device = new Device(0);
        String source = "extern \"C\" __global__ void stray(int* p, long long i) { p[i] = 1; }";
        try (Kernel kernel = Fixtures.kernel(source, "stray");
                Stream stream = device.createStream();
                Buffer buffer = device.allocate(64)) {
            stream.launch(new LaunchConfig(1, 1), kernel, buffer, 1L << 40);
            DeviceFaultException error = failure(DeviceFaultException.class, stream::sync);
            System.out.println(device.isSimulator() + " " + Long.toHexString(buffer.handle()) + " " + error.name());
            print(error);
            require(buffer.size() == 64, "the buffer still answers");
            require(kernel.numArguments() == 2, "the kernel still answers");
        }
        require(Cuprum.liveHandles() == 0, "live handles: " + Cuprum.liveHandles());
    }

    /** Leaves everything open, with work under way, and threads that go on using it. */
    private static void exitWithEndlessKernel() {
        Device device = new Device(0);
        Kernel spin = Fixtures.kernel(
                "extern \"C\" __global__ void spin(volatile int* stop) { while (*stop == 0) {} }", "spin");
        Stream stream = device.createStream();
        Buffer zero = device.allocate(4);
        zero.fill(0, 1, stream);
        stream.launch(new LaunchConfig(1, 32), spin, zero);
        System.out.println("leaving");
    }

    /** Leaves one of every class open: some in use by a thread, some to the cleaner. */
    private static void exitWithEveryObject() {
        List<AutoCloseable> kept = EveryObject.make();
        for (int i = 0; i < 3; ++i) {
            EveryObject.make();
            System.gc();
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            for (AutoCloseable each : kept) {
                try {
                    each.close();
                } catch (Exception error) {
                    System.out.println(error);
                }
            }
        }));
        System.out.println("leaving with " + (kept.size() > 15));
    }

    /** With two devices. */
    private static void anotherDevice() throws Exception {
        Device here = new Device(0);
        Device there = new Device(1);
        try (Stream stream = here.createStream();
                Stream foreign = there.createStream();
                Buffer input = here.allocate(40);
                Buffer far = there.allocate(40);
                Buffer output = here.allocate(8);
                Operator plus = new Operator(OpKind.PLUS);
                ElementIterator near = ElementIterator.of(ElementType.INT32, input);
                ElementIterator distant = ElementIterator.of(ElementType.INT32, far);
                Reduce reduce = new Reduce(here, near, plus, ElementType.INT64)) {
            print(failure(InvalidArgumentException.class, () -> reduce.call(foreign, near, output, 10, 0)));
            print(failure(InvalidArgumentException.class, () -> reduce.call(stream, distant, output, 10, 0)));
            print(failure(InvalidArgumentException.class, () -> far.fill(1, 1, stream)));
            input.fill(1, 4, stream);
            reduce.call(stream, near, output, 10, 0);
            stream.sync();
            long[] sum = new long[1];
            output.copyTo(sum);
            require(sum[0] == 10, "the sum is " + sum[0]);
        }
    }

    private static void exitWithUserMemory() throws Exception {
        Device device = new Device(0);
        UserMemoryResource resource = new UserMemoryResource(device, new MemoryAllocator() {
            private final DeviceMemoryResource pool = new DeviceMemoryResource(device, 0);
            private final Map<Long, Buffer> live = new ConcurrentHashMap<>();

            @Override
            public long allocate(long size, Stream stream) {
                Buffer buffer = pool.allocate(size, stream);
                live.put(buffer.handle(), buffer);
                return buffer.handle();
            }

            @Override
            public void deallocate(long address, long size, Stream stream) {
                live.remove(address).close(stream);
            }
        });
        device.setMemoryResource(resource);
        for (int t = 0; t < 4; ++t) {
            Stream stream = device.createStream();
            Thread thread = new Thread(() -> {
                while (true) {
                    device.allocate(1024, stream).close();
                    device.allocate(1024, stream);    // garbage, which the cleaner frees on its own thread
                }
            });
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((where, error) -> {});    // what fails while the JVM exits
            thread.start();
        }
        for (int i = 0; i < 5; ++i) {
            System.gc();
            Thread.sleep(20);
        }
        System.out.println("leaving");
        System.exit(0);
    }

    private static void exitWithWork() throws Exception {
        Device device = new Device(0);
        Kernel kernel = Fixtures.kernel(Fixtures.SAXPY, "saxpy");
        List<AutoCloseable> open = new ArrayList<>();
        for (int t = 0; t < 4; ++t) {
            Stream stream = device.createStream();
            Buffer x = device.allocate(1 << 20, stream);
            Buffer y = device.allocate(1 << 20, stream);
            open.add(stream);
            open.add(x);
            open.add(y);
            Thread thread = new Thread(() -> {
                while (true) {
                    stream.launch(new LaunchConfig(1024, 256), kernel, 1.0f, x, y, 1 << 18);
                    device.createEvent();    // garbage, which the cleaner destroys on its own thread
                    if (Math.random() < 0.1) {
                        stream.sync();
                    }
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        for (int i = 0; i < 5; ++i) {
            System.gc();
            Thread.sleep(20);
        }
        System.out.println("leaving with " + open.size());
        System.exit(0);
    }
}
