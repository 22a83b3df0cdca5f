using System;

namespace Cuprum {

/// <summary>Checks of arguments.</summary>
internal static class Require {
    /// <summary>The value itself; ArgumentNullException where there is none.</summary>
    public static T NotNull<T>(T value, string parameter) where T : class {
        if (value == null) {
            throw new ArgumentNullException(parameter);
        }
        return value;
    }
}

}
