using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.ExceptionServices;
using NUnit.Framework;

/// <summary>
/// Runs the tests on .NET, where NUnit 2's own runner cannot: what the tests use of it is a few attributes.
/// </summary>
internal static class Runner {
    /// <summary>How the test has ended whose action's AfterTest runs; null where NUnit's own runner runs it.</summary>
    public static TestStatus? Outcome { get; private set; }

    private static int passed;
    private static int skipped;
    private static readonly List<string> Failures = new List<string>();

    // CuprumTests.dll [part of a test's name]
    private static int Main(string[] arguments) {
        string wanted = arguments.Length > 0 ? arguments[0] : "";
        foreach (Type type in typeof(Runner).Assembly.GetTypes().Where(IsFixture).OrderBy(type => type.FullName)) {
            foreach (MethodInfo method in type.GetMethods().OrderBy(method => method.MetadataToken)) {
                foreach (object[] values in CasesOf(method)) {
                    string name = type.Name + "." + method.Name
                        + (values.Length == 0 ? "" : "(" + string.Join(", ", values) + ")");
                    if (name.Contains(wanted)) {
                        Run(type, method, values, name);
                    }
                }
            }
        }
        Console.WriteLine("passed " + passed + ", skipped " + skipped + ", failed " + Failures.Count);
        foreach (string failure in Failures) {
            Console.WriteLine("\n" + failure);
        }
        return Failures.Count == 0 && passed > 0 ? 0 : 1;
    }

    private static bool IsFixture(Type type) {
        return !type.IsAbstract && type.GetMethods().Any(method => CasesOf(method).Any());
    }

    private static IEnumerable<object[]> CasesOf(MethodInfo method) {
        foreach (TestCaseAttribute test in method.GetCustomAttributes<TestCaseAttribute>()) {
            yield return test.Arguments;
        }
        if (method.IsDefined(typeof(TestAttribute))) {
            yield return new object[0];
        }
    }

    private static void Run(Type type, MethodInfo method, object[] values, string name) {
        Console.WriteLine(name);
        object fixture = Activator.CreateInstance(type);
        TestActionAttribute[] actions = method.GetCustomAttributes<TestActionAttribute>().ToArray();
        var details = new TestDetails(fixture, method, name, "Test", false);
        Exception failure = null;
        try {
            foreach (MethodInfo setUp in MethodsWith<SetUpAttribute>(type)) {
                Invoke(fixture, setUp);
            }
            foreach (TestActionAttribute action in actions) {
                action.BeforeTest(details);
            }
            Invoke(fixture, method, values);
        } catch (Exception error) {
            failure = error;
        }
        Outcome = failure == null ? TestStatus.Passed
            : failure is IgnoreException ? TestStatus.Skipped : TestStatus.Failed;
        try {
            foreach (TestActionAttribute action in actions) {
                action.AfterTest(details);
            }
            foreach (MethodInfo tearDown in MethodsWith<TearDownAttribute>(type).Reverse()) {
                Invoke(fixture, tearDown);
            }
        } catch (Exception error) {
            failure = failure == null || failure is IgnoreException ? error : failure;
        }
        if (failure == null || failure is SuccessException) {
            ++passed;
        } else if (failure is IgnoreException) {
            ++skipped;
            Console.WriteLine("  skipped: " + failure.Message);
        } else {
            Failures.Add(name + "\n" + failure);
            Console.WriteLine("  FAILED");
        }
    }

    /// <summary>Those of base classes first.</summary>
    private static IEnumerable<MethodInfo> MethodsWith<T>(Type type) where T : Attribute {
        return type.GetMethods().Where(method => method.IsDefined(typeof(T)))
            .OrderBy(method => DepthOf(method.DeclaringType));
    }

    private static int DepthOf(Type type) {
        return type == null ? 0 : 1 + DepthOf(type.BaseType);
    }

    private static void Invoke(object fixture, MethodInfo method, params object[] values) {
        try {
            method.Invoke(fixture, values);
        } catch (TargetInvocationException error) {
            ExceptionDispatchInfo.Capture(error.InnerException).Throw();
        }
    }
}
