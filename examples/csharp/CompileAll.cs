// Many programs at once: compiled on several threads, with progress; found in the compile cache the second time; and
// what the compiler says of one that is wrong.
// usage: mono CompileAll.exe

using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class CompileAll {
    private const int Programs = 8;

    private static int Main() {
        var device = new Device(0);
        List<Program> programs = Enumerable.Range(0, Programs).Select(ProgramThatWrites).ToList();
        foreach (ObjectCode code in Compiled(programs)) {
            code.Dispose();
        }
        Run(device, Compiled(programs));
        programs.ForEach(program => program.Dispose());
        SeeWhatIsWrong();
        var cache = new CompileCache();
        Require(cache.Directory.Length == 0 || cache.Hits >= Programs, "nothing was found in the compile cache");
        Console.WriteLine("{0} programs for {1}, each compiled twice: {2} found in the compile cache", Programs,
                          device.Name, cache.Hits);
        return 0;
    }

    private static Program ProgramThatWrites(int number) {
        return new Program(@"extern ""C"" __global__ void write(int* out) { *out = " + number + "; }",
                           new ProgramOptions { Name = "write_" + number + ".cu" });
    }

    private static IReadOnlyList<ObjectCode> Compiled(List<Program> programs) {
        int reported = 0;
        IReadOnlyList<ObjectCode> codes = Program.CompileAll(
            programs.Select(program => new CompileRequest(program)), 4,
            each => Require(each.Succeeded && each.Done == ++reported, "a compile is missing"));
        Require(reported == Programs, "not every compile was reported");
        return codes;
    }

    // The kernels run on the device, one after another.
    private static void Run(Device device, IReadOnlyList<ObjectCode> codes) {
        var written = new int[1];
        using (Stream stream = device.CreateStream())
        using (Buffer memory = device.Allocate(sizeof(int), stream)) {
            for (int number = 0; number < Programs; ++number) {
                using (ObjectCode code = codes[number])
                using (Kernel kernel = code.GetKernel("write")) {
                    stream.Launch(new LaunchConfig(1, 1), kernel, memory);
                    memory.CopyTo(written, stream);
                    stream.Sync();
                    Require(written[0] == number, "a kernel is another one's");
                }
            }
        }
    }

    private static void SeeWhatIsWrong() {
        try {
            using (var program = new Program("__global__ void k() {\n    wrong();\n}", new ProgramOptions { Name = "k.cu" }))
            using (program.Compile()) {
                Require(false, "what is wrong was compiled");
            }
        } catch (CompileException error) {
            Diagnostic diagnostic = error.Diagnostics.Single();
            Require(diagnostic.Line == 2, "the diagnostic is wrong");
            Console.WriteLine("{0}:{1}:{2}: {3}", diagnostic.File, diagnostic.Line, diagnostic.Column, diagnostic.Text);
        }
    }

    private static void Require(bool condition, string text) {
        if (!condition) {
            throw new InvalidOperationException(text);
        }
    }
}
