// Two processes: a stream of the second one waits for an event that the first one has recorded.
// usage: mono SharedEvents.exe

using System;
using System.Diagnostics;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class SharedEvents {
    private static int Main(string[] arguments) {
        var device = new Device(0);
        return (arguments.Length == 1 ? SecondProcess(device, arguments[0]) : FirstProcess(device)) ? 0 : 1;
    }

    private static bool FirstProcess(Device device) {
        using (Stream stream = device.CreateStream())
        using (Buffer buffer = device.Allocate(1L << 20, stream))
        using (Event done = device.CreateEvent(new EventOptions { IpcEnabled = true })) {
            for (uint value = 0; value < 10; ++value) {
                buffer.Fill(value, 1, stream);
            }
            stream.Record(done);
            // The bytes that the event travels as, in an argument of the program.
            int status = RunThisProgramWith(string.Concat(done.IpcHandle().Select(each => each.ToString("x2"))));
            bool right = status == 0 && done.IsDone;
            Console.WriteLine("another process waited for an event of this one on {0}: {1}", device.Name,
                              right ? "right" : "wrong");
            return right;
        }
    }

    private static int RunThisProgramWith(string argument) {
        string runtime = Process.GetCurrentProcess().MainModule.FileName;
        string program = typeof(SharedEvents).Assembly.Location;
        var start = new ProcessStartInfo(runtime, "\"" + program + "\" " + argument) { UseShellExecute = false };
        using (Process other = Process.Start(start)) {
            other.WaitForExit();
            return other.ExitCode;
        }
    }

    private static bool SecondProcess(Device device, string text) {
        byte[] handle = Enumerable.Range(0, text.Length / 2)
                            .Select(i => Convert.ToByte(text.Substring(2 * i, 2), 16))
                            .ToArray();
        using (Event done = Event.FromIpcHandle(device, handle))
        using (Stream stream = device.CreateStream()) {
            stream.Wait(done);
            stream.Sync();
            return done.IsDone;
        }
    }
}
