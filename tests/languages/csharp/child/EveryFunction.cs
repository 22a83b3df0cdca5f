using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Cuprum.Bindings;

/// <summary>Calls every function of the bindings where every library is missing, or a driver is old.</summary>
internal static class EveryFunction {
    private static readonly Dictionary<string, Type> classes = new Dictionary<string, Type> {
        {"driver", typeof(Driver)}, {"runtime", typeof(Cuprum.Bindings.Runtime)}, {"nvrtc", typeof(Nvrtc)},
        {"nvjitlink", typeof(NvJitLink)},
        {"nvvm", typeof(Nvvm)},
        {"nvml", typeof(Nvml)},
        {"nccl", typeof(Nccl)},
    };

    private static MethodInfo[] Functions(Type library) {
        return library.GetMethods(BindingFlags.Public | BindingFlags.Static);
    }

    private static object[] Arguments(MethodInfo function) {
        return function.GetParameters().Select(each => Argument(each.ParameterType)).ToArray();
    }

    public static void Call() {
        int missing = 0;
        foreach (MethodInfo function in classes.Values.SelectMany(Functions)) {
            function.Invoke(null, Arguments(function));
            Cuprum.NotFoundException failure = Libraries.TakeFailure();
            if (failure == null || !failure.Message.Contains(function.Name)) {
                throw new InvalidOperationException(function.Name + ": " + failure);
            }
            ++missing;
        }
        Console.WriteLine(missing + " functions are missing");
    }

    /// <summary>Prints what each function of a library returns, and what is missing: name, status, failure.</summary>
    public static void Describe(string library) {
        foreach (MethodInfo function in Functions(classes[library])) {
            object result = function.Invoke(null, Arguments(function));
            Cuprum.NotFoundException failure = Libraries.TakeFailure();
            string status = result is Enum ? Convert.ToInt32(result).ToString() : "";
            string message = failure == null ? "" : failure.Message.Replace('\n', ' ');
            Console.WriteLine(function.Name + "\t" + status + "\t" + message);
        }
    }

    /// <summary>Calls each function of a library with null or nothing for one array, or a text that C would cut: prints
    /// what is refused by name.</summary>
    public static void Refuse(string library) {
        foreach (MethodInfo function in Functions(classes[library])) {
            foreach (ParameterInfo parameter in function.GetParameters()) {
                Type type = parameter.ParameterType;
                if (type == typeof(IntPtr)) {
                    Report("null", function, parameter, IntPtr.Zero);
                }
                if (type == typeof(string)) {
                    Report("nul", function, parameter, "a\0b");
                } else if (type == typeof(string[])) {
                    Report("nul", function, parameter, new[] {"a\0b", "", "", ""});
                }
                if (type.IsArray) {
                    Report("null", function, parameter, null);
                    Report("empty", function, parameter, Array.CreateInstance(type.GetElementType(), 0));
                }
            }
        }
    }

    private static void Report(string what, MethodInfo function, ParameterInfo parameter, object argument) {
        object[] arguments = Arguments(function);
        arguments[parameter.Position] = argument;
        try {
            function.Invoke(null, arguments);
        } catch (TargetInvocationException thrown) {
            ArgumentException refusal = thrown.InnerException as ArgumentException;
            if (refusal == null || refusal.ParamName != parameter.Name
                || !refusal.Message.StartsWith(function.Name + ": " + parameter.Name + ": expected ")) {
                throw;
            }
            Console.WriteLine(what + "\t" + function.Name + "\t" + parameter.Name);
        }
    }

    /// <summary>Something that a parameter of that type takes; a number is 1.</summary>
    private static object Argument(Type type) {
        if (type.IsByRef) {
            return Argument(type.GetElementType());
        }
        if (type.IsArray) {
            return Array.CreateInstance(type.GetElementType(), 4);
        }
        if (type == typeof(string)) {
            return "text";
        }
        if (type == typeof(IntPtr)) {
            return new IntPtr(1);
        }
        return type.IsPrimitive ? Convert.ChangeType(1, type) : Activator.CreateInstance(type);
    }
}
