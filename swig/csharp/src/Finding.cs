using System.Collections.Generic;
using Cuprum.Native;

namespace Cuprum {

/// <summary>How bad a <see cref="Finding"/> is.</summary>
public enum Severity {
    /// <summary>Worth knowing.</summary>
    Note = 0,
    /// <summary>Something does not work.</summary>
    Warning = 1,
    /// <summary>Nothing works.</summary>
    Error = 2
}

/// <summary>Something that is wrong or worth knowing, and what to do about it.</summary>
public sealed class Finding {
    private Finding(Severity severity, string subject, string problem, string remedy) {
        Severity = severity;
        Subject = subject;
        Problem = problem;
        Remedy = remedy;
    }

    /// <summary>The severity.</summary>
    public Severity Severity { get; }

    /// <summary>What has the problem, such as "driver".</summary>
    public string Subject { get; }

    /// <summary>The problem.</summary>
    public string Problem { get; }

    /// <summary>How to fix it, if possible as a command.</summary>
    public string Remedy { get; }

    /// <summary>As <c>cuprum doctor</c> prints it.</summary>
    public override string ToString() {
        return Severity.ToString().ToLowerInvariant() + ": " + Subject + ": " + Problem + " (" + Remedy + ")";
    }

    /// <summary>What this thread's last diagnosis found.</summary>
    internal static IReadOnlyList<Finding> OfThread(uint count) {
        var findings = new List<Finding>();
        for (uint i = 0; i < count; ++i) {
            int severity;
            string subject, problem, remedy;
            CuprumNative.cuprum_finding(out severity, out subject, out problem, out remedy, i);
            findings.Add(new Finding((Severity)severity, subject, problem, remedy));
        }
        return findings;
    }
}

}
