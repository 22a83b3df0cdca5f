using System;
using System.Linq;
using System.Reflection;
using Cuprum.Bindings;

/// <summary>Calls every function of the bindings where every library is missing.</summary>
internal static class EveryFunction {
    public static void Call() {
        int missing = 0;
        foreach (Type library in new[] {typeof(Driver), typeof(Cuprum.Bindings.Runtime), typeof(Nvrtc),
                                        typeof(NvJitLink)}) {
            foreach (MethodInfo function in library.GetMethods(BindingFlags.Public | BindingFlags.Static)) {
                function.Invoke(null, function.GetParameters().Select(each => Argument(each.ParameterType)).ToArray());
                Cuprum.NotFoundException failure = Libraries.TakeFailure();
                if (failure == null || !failure.Message.Contains(function.Name)) {
                    throw new InvalidOperationException(function.Name + ": " + failure);
                }
                ++missing;
            }
        }
        Console.WriteLine(missing + " functions are missing");
    }

    /// <summary>Something that a parameter of that type takes.</summary>
    private static object Argument(Type type) {
        if (type.IsByRef) {
            return Argument(type.GetElementType());
        }
        if (type.IsArray) {
            return Array.CreateInstance(type.GetElementType(), 4);
        }
        return type == typeof(string) ? "text" : Activator.CreateInstance(type);
    }
}
