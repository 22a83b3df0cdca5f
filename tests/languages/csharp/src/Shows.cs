using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Cuprum.Bindings;
using NUnit.Framework;

/// <summary>
/// The functions of tests/conformance/bindings/most_used.txt whose work the test's assertions are about.
/// </summary>
/// <remarks>
/// At the test's end, each of them must have been called in it and have succeeded: the trace of the calls says so.
/// CUPRUM_TEST_SHOWN names a file that gets a line for each function, "shown" if the test has passed, "skipped" with the
/// reason if it was skipped; check_most_used.py reads them.
/// </remarks>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ShowsAttribute : TestActionAttribute {
    // "... us  thread 7  cuInit(Flags=0) = CUDA_SUCCESS"; functions that give a text have that as their result.
    private static readonly Regex Succeeded =
        new Regex(@"thread \d+  (\w+)\(.*\) = (?:\w*SUCCESS|cudaSuccess|"".*)$", RegexOptions.Multiline);
    private static readonly TextWriter Record = OpenRecord();

    private static string skipReason = "";

    private readonly string[] functions;
    private string trace;

    public ShowsAttribute(params string[] functions) {
        this.functions = functions;
    }

    public override ActionTargets Targets {
        get { return ActionTargets.Test; }
    }

    private static TextWriter OpenRecord() {
        string file = Environment.GetEnvironmentVariable("CUPRUM_TEST_SHOWN");
        return file == null ? TextWriter.Null : new StreamWriter(file) { AutoFlush = true };
    }

    public override void BeforeTest(TestDetails test) {
        trace = Path.GetTempFileName();
        Libraries.StartTrace(trace);
    }

    public override void AfterTest(TestDetails test) {
        Libraries.StopTrace();
        var called = new HashSet<string>(
            Succeeded.Matches(File.ReadAllText(trace)).Cast<Match>().Select(call => call.Groups[1].Value));
        File.Delete(trace);
        TestStatus status = Runner.Outcome ?? OutcomeByNUnit();
        foreach (string function in functions) {
            if (status == TestStatus.Skipped) {
                Write("skipped", function, test, skipReason);
            } else if (status != TestStatus.Failed) {
                Assert.IsTrue(called.Contains(function), function + " is to be shown, and not called with success");
                Write("shown", function, test, "");
            }
        }
    }

    // In a method of its own: on .NET it cannot be compiled.
    private static TestStatus OutcomeByNUnit() {
        return TestContext.CurrentContext.Result.Status;
    }

    /// <summary>Skips the test: the runner does not say why, after the test.</summary>
    public static void Skip(string reason) {
        skipReason = reason;
        Assert.Ignore(reason);
    }

    private static void Write(string outcome, string function, TestDetails test, string reason) {
        Record.WriteLine(string.Join("\t", outcome, function, test.Method.Name, reason));
    }
}
