using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;

/// <summary>
/// Runs Child.exe, which lies beside these tests, in a process of its own with a changed environment.
/// </summary>
internal sealed class ChildProcess {
    private readonly Dictionary<string, string> environment = new Dictionary<string, string>();
    private string program = Path.Combine(AppDomain.CurrentDomain.BaseDirectory, "Child.exe");

    public int ExitStatus { get; private set; }

    public string Output { get; private set; }

    public ChildProcess Environment(string name, string value) {
        environment[name] = value;
        return this;
    }

    /// <summary>Makes paths that contain one of the words look absent.</summary>
    public ChildProcess Hide(params string[] words) {
        environment["LD_PRELOAD"] = System.Environment.GetEnvironmentVariable("CUPRUM_TEST_HIDE_PATHS");
        environment["HIDE_PATHS"] = string.Join(":", words);
        return this;
    }

    /// <summary>Another copy of the program.</summary>
    public ChildProcess Program(string path) {
        program = path;
        return this;
    }

    public ChildProcess Run(string scenario) {
        string runtime = System.Environment.GetEnvironmentVariable("CUPRUM_TEST_RUNTIME");
        // All of it through a shell, so that errors and output stay in order.
        string command = "exec '" + runtime + "' '" + program + "' " + scenario + " 2>&1";
        var start = new ProcessStartInfo("/bin/sh", "-c \"" + command + "\"");
        start.UseShellExecute = false;
        start.RedirectStandardOutput = true;
        foreach (KeyValuePair<string, string> variable in environment) {
            start.EnvironmentVariables[variable.Key] = variable.Value;
        }
        using (Process process = Process.Start(start)) {
            Output = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            ExitStatus = process.ExitCode;
        }
        return this;
    }
}
