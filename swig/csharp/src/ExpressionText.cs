using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;

namespace Cuprum {

/// <summary>
/// A traced result as CUDA C++, in time and text linear in the number of operations: what is used more than once becomes
/// a variable, and so does what would make an expression nest too deep.
/// </summary>
internal sealed class ExpressionText {
    /// <summary>Compilers parse nested parentheses recursively, and limit how deep they go.</summary>
    private const int MaxNesting = 24;

    /// <summary>Symbols as objects: their own operators make other symbols.</summary>
    private sealed class ByIdentity : IEqualityComparer<Symbol> {
        public bool Equals(Symbol left, Symbol right) {
            return ReferenceEquals(left, right);
        }
        public int GetHashCode(Symbol symbol) {
            return RuntimeHelpers.GetHashCode(symbol);
        }
    }

    private struct Written {
        public string Text;
        public int Nesting;
    }

    private readonly Dictionary<Symbol, int> uses = new Dictionary<Symbol, int>(new ByIdentity());
    private readonly Dictionary<Symbol, Written> texts = new Dictionary<Symbol, Written>(new ByIdentity());
    private readonly StringBuilder variables = new StringBuilder();
    private int variableCount;

    private ExpressionText() {}

    /// <summary>The text of an operator that gives this value: an expression, or a function's body.</summary>
    /// <exception cref="InvalidOperationException">The result is null.</exception>
    public static string Of(Symbol root) {
        Symbol.RequireValue(root);
        var writer = new ExpressionText();
        foreach (Symbol symbol in writer.InOrder(root)) {
            writer.Write(symbol);
        }
        if (writer.variableCount == 0) {
            return root.RootText ?? writer.texts[root].Text;
        }
        return writer.variables + "return " + writer.texts[root].Text + ";";
    }

    /// <summary>Each symbol once, after its arguments. Counts their uses.</summary>
    private List<Symbol> InOrder(Symbol root) {
        var order = new List<Symbol>();
        // With the number of the next argument. No Stack, which Mono and .NET have in different assemblies.
        var pending = new List<KeyValuePair<Symbol, int>>();
        uses[root] = 1;
        pending.Add(new KeyValuePair<Symbol, int>(root, 0));
        while (pending.Count > 0) {
            KeyValuePair<Symbol, int> top = pending[pending.Count - 1];
            pending.RemoveAt(pending.Count - 1);
            if (top.Value == top.Key.Arguments.Length) {
                order.Add(top.Key);
                continue;
            }
            pending.Add(new KeyValuePair<Symbol, int>(top.Key, top.Value + 1));
            Symbol argument = top.Key.Arguments[top.Value];
            int before;
            bool isKnown = uses.TryGetValue(argument, out before);
            uses[argument] = before + (top.Key.RepeatsArguments ? 2 : 1);
            if (!isKnown) {
                pending.Add(new KeyValuePair<Symbol, int>(argument, 0));
            }
        }
        return order;
    }

    private void Write(Symbol symbol) {
        var written = new Written {
            Text = string.Format(
                CultureInfo.InvariantCulture, symbol.Format,
                Array.ConvertAll(symbol.Arguments, argument => (object)texts[argument].Text)),
            Nesting = symbol.Arguments.Select(argument => texts[argument].Nesting + 1).DefaultIfEmpty(0).Max(),
        };
        if (symbol.Arguments.Length > 0 && (uses[symbol] > 1 || written.Nesting >= MaxNesting)) {
            string name = "v" + variableCount++;
            // Not const: compilers try to evaluate what is made of constants, recursively, and run out of stack.
            variables.Append("auto " + name + " = " + written.Text + ";\n");
            written = new Written { Text = name, Nesting = 0 };
        }
        texts[symbol] = written;
    }
}

}
