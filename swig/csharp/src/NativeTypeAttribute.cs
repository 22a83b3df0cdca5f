using System;

namespace Cuprum.Bindings {

/// <summary>The name that a structure has in C.</summary>
[AttributeUsage(AttributeTargets.Struct)]
public sealed class NativeTypeAttribute : Attribute {
    private readonly string name;

    /// <summary>For the generated structures.</summary>
    public NativeTypeAttribute(string name) {
        this.name = name;
    }

    /// <summary>Its tag, or the name of its typedef where it has none.</summary>
    public string Name {
        get { return name; }
    }
}

}
