// A green context: its streams' kernels run on a part of the device's multiprocessors.
// usage: mono GreenContexts.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class GreenContexts {
    private const string Source = @"
extern ""C"" __global__ void where(unsigned int* numbers) {
    unsigned int number;
    asm(""mov.u32 %0, %%smid;"" : ""=r""(number));
    numbers[blockIdx.x] = number;
}
";
    private const int Blocks = 512;

    private static int Main() {
        var device = new Device(0);
        SMResource multiprocessors = device.SMResource;
        SMResource part = multiprocessors.Split(0).Groups[0];    // as few as there can be
        var numbers = new uint[Blocks];
        using (var program = new Program(Source, new ProgramOptions { Name = "where.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel where = code.GetKernel("where"))
        using (Context green = device.CreateContext(part))
        using (Stream stream = green.CreateStream())
        using (Buffer memory = device.Allocate(Blocks * sizeof(uint), stream)) {
            stream.Launch(new LaunchConfig(Blocks, 1024), where, memory);
            memory.CopyTo(numbers, stream);
            stream.Sync();
        }
        int used = numbers.Distinct().Count();
        Console.WriteLine("a kernel on {0} of {1} multiprocessors of {2}: it used {3}", part.SMCount,
                          multiprocessors.SMCount, device.Name, used);
        return used > 0 && used <= part.SMCount ? 0 : 1;
    }
}
