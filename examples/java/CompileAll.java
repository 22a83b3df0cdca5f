// Many programs at once: compiled on several threads, with progress; found in the compile cache the second time; and
// what the compiler says of one that is wrong.
// usage: java -cp cuprum.jar:examples CompileAll

import io.cuprum.Buffer;
import io.cuprum.CompileCacheInfo;
import io.cuprum.CompileException;
import io.cuprum.CompileRequest;
import io.cuprum.Cuprum;
import io.cuprum.Device;
import io.cuprum.Diagnostic;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.ObjectCode;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import io.cuprum.Stream;
import java.util.ArrayList;
import java.util.List;

public final class CompileAll {
    private static final int PROGRAMS = 8;

    private CompileAll() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        List<Program> programs = new ArrayList<>();
        for (int number = 0; number < PROGRAMS; ++number) {
            programs.add(new Program("extern \"C\" __global__ void write(int* out) { *out = " + number + "; }",
                    new ProgramOptions().name("write_" + number + ".cu")));
        }
        compile(programs).forEach(ObjectCode::close);
        run(device, compile(programs));
        programs.forEach(Program::close);
        seeWhatIsWrong();
        CompileCacheInfo cache = Cuprum.compileCacheInfo();
        require(cache.directory().isEmpty() || cache.hits() >= PROGRAMS, "nothing was found in the compile cache");
        System.out.printf("%d programs for %s, each compiled twice: %d found in the compile cache%n", PROGRAMS,
                device.name(), cache.hits());
    }

    private static List<ObjectCode> compile(List<Program> programs) {
        List<Long> reported = new ArrayList<>();
        List<ObjectCode> codes = Program.compileAll(programs.stream().map(CompileRequest::new).toList(), 4, each -> {
            reported.add(each.done());
            require(each.succeeded() && each.done() == reported.size(), "a compile is missing");
        });
        require(reported.size() == PROGRAMS, "not every compile was reported");
        return codes;
    }

    /** The kernels run on the device, one after another. */
    private static void run(Device device, List<ObjectCode> codes) {
        int[] written = new int[1];
        try (Stream stream = device.createStream(); Buffer out = device.allocate(Integer.BYTES, stream)) {
            for (int number = 0; number < PROGRAMS; ++number) {
                try (ObjectCode code = codes.get(number); Kernel kernel = code.getKernel("write")) {
                    stream.launch(new LaunchConfig(1, 1), kernel, out);
                    out.copyTo(written, stream);
                    require(written[0] == number, "a kernel is another one's");
                }
            }
        }
    }

    private static void seeWhatIsWrong() {
        try (Program program = new Program("__global__ void k() {\n    wrong();\n}", new ProgramOptions().name("k.cu"));
                ObjectCode code = program.compile()) {
            require(code == null, "what is wrong was compiled");
        } catch (CompileException error) {
            List<Diagnostic> diagnostics = error.diagnostics();
            require(diagnostics.size() == 1 && diagnostics.get(0).line() == 2, "the diagnostic is wrong");
            Diagnostic first = diagnostics.get(0);
            System.out.printf("%s:%d:%d: %s%n", first.file(), first.line(), first.column(), first.text());
        }
    }

    private static void require(boolean condition, String text) {
        if (!condition) {
            throw new IllegalStateException(text);
        }
    }
}
