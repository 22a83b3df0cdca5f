using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Cuprum {

/// <summary>What the C ABI calls a type of elements: a number's name, or a struct with its fields.</summary>
internal static class ElementText<T> where T : struct {
    private static string text;

    // Not an initializer, whose exception would arrive wrapped in another.
    public static string Value { get { return text ?? (text = ElementText.Of(typeof(T))); } }
}

internal static class ElementText {
    private static readonly Dictionary<Type, string> numbers = new Dictionary<Type, string> {
        { typeof(sbyte), "int8" },   { typeof(short), "int16" },   { typeof(int), "int32" },
        { typeof(long), "int64" },   { typeof(byte), "uint8" },    { typeof(ushort), "uint16" },
        { typeof(uint), "uint32" },  { typeof(ulong), "uint64" },  { typeof(float), "float32" },
        { typeof(double), "float64" }, { typeof(bool), "bool" },    { typeof(Float16), "float16" },
        { typeof(BFloat16), "bfloat16" }, { typeof(Complex64), "complex64" },
        { typeof(Integer128), "int128" }, { typeof(UnsignedInteger128), "uint128" },
    };
    /// <summary>Types that .NET has, but not every framework that this assembly runs on.</summary>
    private static readonly Dictionary<string, string> others = new Dictionary<string, string> {
        { "System.Half", "float16" }, { "System.Numerics.Complex", "complex128" },
        { "System.Int128", "int128" }, { "System.UInt128", "uint128" },
    };

    private static string NumberOf(Type type) {
        string number;
        bool isNumber = numbers.TryGetValue(type, out number) || others.TryGetValue(type.FullName ?? "", out number);
        return isNumber ? number : null;
    }

    public static string Of(Type type) {
        string number = NumberOf(type);
        if (number != null) {
            return number;
        }
        // A decimal's fields are .NET's own matter: a device would compare its scale first.
        if (!type.IsValueType || type.IsPrimitive || type.IsEnum || type.IsAutoLayout || type == typeof(decimal)) {
            throw new ArgumentException(
                "elements of " + type.FullName
                + " are neither numbers nor structs of numbers in the order of their declaration");
        }
        var fields = new List<KeyValuePair<long, string>>();
        foreach (FieldInfo field in
                 type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)) {
            if (field.FieldType == typeof(bool)) {
                throw new ArgumentException(
                    "the field " + type.Name + "." + field.Name + " is a bool, which .NET does not take for plain memory: "
                    + "make it a byte");
            }
            long offset = Marshal.OffsetOf(type, field.Name).ToInt64();
            fields.Add(new KeyValuePair<long, string>(offset, field.Name + ":" + Of(field.FieldType) + "@" + offset));
        }
        fields.Sort((left, right) => left.Key.CompareTo(right.Key));
        var texts = fields.ConvertAll(field => field.Value);
        return type.Name + "{" + string.Join(",", texts) + "}:" + Marshal.SizeOf(type) + ":" + AlignmentOf(type);
    }

    private static int AlignmentOf(Type type) {
        if (NumberOf(type) != null) {
            return Marshal.SizeOf(type);
        }
        int alignment = 1;
        foreach (FieldInfo field in
                 type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)) {
            alignment = Math.Max(alignment, AlignmentOf(field.FieldType));
        }
        return alignment;
    }
}

}
