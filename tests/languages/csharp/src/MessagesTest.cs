using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using NUnit.Framework;

/// <summary>What Cuprum says to every mistake of <see cref="Mistakes"/>; messages-4.txt (on .NET messages-3.txt),
/// beside the tests, has all of it, to be read.</summary>
[TestFixture]
public class MessagesTest {
    private static readonly Dictionary<string, string> Forbidden = new Dictionary<string, string> {
        { @"\bcuprum_\w+", "a function of the C ABI" },
        { @"\bCUPRUM_[A-Z]+_[A-Z]+\b", "a constant of the C ABI" },
        { @"[A-Za-z]::[A-Za-z~]", "a C++ name" },
        { @"\b(invalid_argument|invalid_state|kernel_not_found|library_not_found)\b", "a status as a reason" },
        { @"\bslicing\b", "not what was asked for" },
        { @"not set to an instance", "the runtime's own words" },
    };

    private static List<string> ProblemsOf(string message) {
        var problems = new List<string>();
        if (message == null || message.Length < 10) {
            problems.Add("too short to tell anything");
            return problems;
        }
        string text = Regex.Replace(message, @"\bCUPRUM_(DRIVER|SIM|CACHE|TOOLKIT)\b", "");
        foreach (KeyValuePair<string, string> one in Forbidden) {
            Match found = Regex.Match(text, one.Key);
            if (found.Success) {
                problems.Add(one.Value + ": " + found.Value);
            }
        }
        string[] lines = message.Split('\n').Select(line => line.Trim()).Where(line => line != "").ToArray();
        for (int i = 0; i < lines.Length && !message.Contains("^"); ++i) {
            string said = Regex.Replace(lines[i], @"^(\w+: )*", "");
            for (int j = 0; j < lines.Length; ++j) {
                if (i != j && said.Length > 20 && lines[j].Contains(said)) {
                    problems.Add("said twice: " + said);
                }
            }
        }
        return problems;
    }

    private static Exception Provoke(Action action) {
        try {
            action();
            return null;
        } catch (Exception error) {
            return error;
        }
    }

    [Test]
    public void EveryMistakeIsAnsweredInWordsThatHelp() {
        var table = new StringBuilder();
        var wrong = new StringBuilder();
        using (var mistakes = new Mistakes()) {
            foreach (KeyValuePair<string, Action> mistake in mistakes.Actions) {
                Exception error = Provoke(mistake.Value);
                string shown = mistake.Key + "\n  " + (error == null ? "NO ERROR" : error.GetType() + "\n    "
                    + error.Message.Replace("\n", "\n    ")) + "\n";
                table.Append(shown);
                List<string> problems = error == null ? new List<string> { "no error" } : ProblemsOf(error.Message);
                foreach (string problem in problems) {
                    wrong.Append(shown).Append("  -> ").Append(problem).Append('\n');
                }
            }
        }
        string folder = Path.GetDirectoryName(new Uri(typeof(MessagesTest).Assembly.CodeBase).LocalPath);
        File.WriteAllText(Path.Combine(folder, "messages-" + Environment.Version.Major + ".txt"), table.ToString());
        Assert.AreEqual("", wrong.ToString());
    }

    [Test]
    public void AFaultIsDescribedOnce() {
        ChildProcess child = new ChildProcess().Run("fault");
        Assert.AreEqual(0, child.ExitStatus, child.Output);
        // Behind what the child says of its own.
        string message = child.Output.Substring(child.Output.IndexOf("]\n", StringComparison.Ordinal) + 2);
        Assert.AreEqual(new List<string>(), ProblemsOf(message), child.Output);
        StringAssert.Contains("the context is lost", message);
    }

    [Test]
    public void BadMessagesWouldBeFound() {
        Assert.IsNotEmpty(ProblemsOf("create both with EventOptions::timing_enabled"));
        Assert.IsNotEmpty(ProblemsOf("waiting for it: X\nkernel 'k' wrote to 0x0\nsync: kernel 'k' wrote to 0x0"));
        Assert.IsNotEmpty(ProblemsOf(null));
        Assert.IsEmpty(ProblemsOf("the size of a buffer must not be negative: -1"));
    }
}
