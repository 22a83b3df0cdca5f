// Two graphs in two streams that hand work to each other through a word of memory, which nodes wait for and write.
// usage: mono GraphWords.exe

using System;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class GraphWords {
    private const string Source = @"
        // words: whether there is an item, the item, and the items that were taken, a digit for each.
        extern ""C"" __global__ void make(unsigned* words) { words[1] += 1; }
        extern ""C"" __global__ void take(unsigned* words) { words[2] = 10 * words[2] + words[1]; }";
    private const int Rounds = 5;
    private const int Expected = 12345;

    // A kernel that runs when the first word is `before`, and then makes it `after`.
    private static Graph Step(Device device, ObjectCode code, string name, Buffer words, uint before, uint after) {
        using (Kernel kernel = code.GetKernel(name))
        using (var definition = new GraphDefinition(device)) {
            definition.WaitValue32(words, 0, before, WaitCondition.Equal)
                .Launch(new LaunchConfig(1, 1), kernel, words)
                .WriteValue32(words, 0, after);
            return definition.Instantiate();
        }
    }

    private static int Main() {
        var device = new Device(0);
        var values = new int[3];
        using (var program = new Program(Source))
        using (ObjectCode code = program.Compile())
        using (Stream makersStream = device.CreateStream())
        using (Stream takersStream = device.CreateStream())
        using (Buffer words = device.Allocate((ulong)values.Length * sizeof(uint))) {    // no stream: not of a pool
            words.CopyFrom(values);
            using (Graph maker = Step(device, code, "make", words, 0, 1))
            using (Graph taker = Step(device, code, "take", words, 1, 0)) {
                // The launch that another one waits for is put in first: streams may share a queue of the hardware.
                for (int round = 0; round < Rounds; ++round) {
                    maker.Launch(makersStream);
                    taker.Launch(takersStream);
                }
                takersStream.Sync();
                makersStream.Sync();
            }
            words.CopyTo(values);
        }
        Console.WriteLine("{0} items handed over on {1}: {2}", Rounds, device.Name, values[2]);
        return values[2] == Expected ? 0 : 1;
    }
}
