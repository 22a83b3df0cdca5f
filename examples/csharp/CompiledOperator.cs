// An operator that is compiled elsewhere, as LTO-IR, and linked into an algorithm: here a loop, over each element.
// usage: mono CompiledOperator.exe

using System;
using System.Linq;
using Cuprum;

internal static class CompiledOperator {
    private const string Source = @"
extern ""C"" __device__ int halvings(int a) {
    int steps = 0;
    for (; a > 1; a /= 2) ++steps;
    return steps;
}
";

    private static int Halvings(int a) {
        int steps = 0;
        for (; a > 1; a /= 2) {
            ++steps;
        }
        return steps;
    }

    private static int Main() {
        int[] data = Enumerable.Range(0, 1000).Select(i => i * 7919 % 100003).ToArray();
        var options = new ProgramOptions {
            Name = "halvings.cu", RelocatableDeviceCode = true, LinkTimeOptimization = true
        };
        // Any compiler of device code will do.
        using (var program = new Program(Source, options))
        using (ObjectCode code = program.Compile(CodeType.LtoIr))
        using (Operator op = Operator.Compiled("halvings", code, Passing.Values)) {
            int[] steps = Parallel.Transform<int, int>(data, op);
            bool ok = steps.SequenceEqual(data.Select(Halvings));
            Console.WriteLine("{0} takes {1} halvings: {2}", data.Last(), steps.Last(), ok ? "ok" : "WRONG");
            return ok ? 0 : 1;
        }
    }
}
