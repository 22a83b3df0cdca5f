// usage: mono Exchange.exe save NUMBER FILE | load NUMBER FILE [NUMBER FILE ...]
// Saves a reduction by an operator of that number, or loads some and calls them.

using System;
using System.IO;
using System.Linq;
using Cuprum;

internal static class Exchange {
    private static void Main(string[] arguments) {
        int[] data = Enumerable.Range(1, 1000).ToArray();
        for (int i = 1; i + 1 < arguments.Length; i += 2) {
            using (var op = new Operator("a + b + " + arguments[i])) {
                if (arguments[0] == "save") {
                    using (ElementIterator elements = ElementIterator.Of<int>())
                    using (var reduce = new Reduce<long>(Execution.AheadOfTime("compute_80"), elements, op)) {
                        File.WriteAllBytes(arguments[i + 1], reduce.Save());
                    }
                } else {
                    Algorithm.LoadBuilds(new Device(0), File.ReadAllBytes(arguments[i + 1]));
                    Console.WriteLine(Parallel.Reduce(data, 0L, op));
                }
            }
        }
    }
}
