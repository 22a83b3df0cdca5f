package io.cuprum;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A traced result as CUDA C++, in time and text linear in the number of operations: what is used more than once becomes a
 * variable, and so does what would make an expression nest too deep.
 */
final class ExpressionText {
    /** Compilers parse nested parentheses recursively, and limit how deep they go. */
    private static final int MAX_NESTING = 24;

    private record Written(String text, int nesting) {}

    /** A symbol whose arguments before `next` are done. */
    private record Pending(Symbol symbol, int next) {}

    private final Map<Symbol, Integer> uses = new IdentityHashMap<>();
    private final Map<Symbol, Written> texts = new IdentityHashMap<>();
    private final StringBuilder variables = new StringBuilder();
    private int variableCount;

    private ExpressionText() {}

    /** The text of an operator that gives this value: an expression, or a function's body. */
    static String of(Symbol root) {
        Symbol.requireValue(root);
        ExpressionText writer = new ExpressionText();
        for (Symbol symbol : writer.inOrder(root)) {
            writer.write(symbol);
        }
        if (writer.variableCount == 0) {
            return root.rootText() != null ? root.rootText() : writer.texts.get(root).text();
        }
        return writer.variables + "return " + writer.texts.get(root).text() + ";";
    }

    /** Each symbol once, after its arguments. Counts their uses. */
    private List<Symbol> inOrder(Symbol root) {
        List<Symbol> order = new ArrayList<>();
        Deque<Pending> stack = new ArrayDeque<>();
        uses.put(root, 1);
        stack.push(new Pending(root, 0));
        while (!stack.isEmpty()) {
            Pending top = stack.pop();
            Symbol[] arguments = top.symbol.arguments();
            if (top.next == arguments.length) {
                order.add(top.symbol);
                continue;
            }
            stack.push(new Pending(top.symbol, top.next + 1));
            Symbol argument = arguments[top.next];
            boolean isNew = !uses.containsKey(argument);
            uses.merge(argument, top.symbol.repeatsArguments() ? 2 : 1, Integer::sum);
            if (isNew) {
                stack.push(new Pending(argument, 0));
            }
        }
        return order;
    }

    private void write(Symbol symbol) {
        Symbol[] arguments = symbol.arguments();
        String[] operands = new String[arguments.length];
        int nesting = 0;
        for (int i = 0; i < operands.length; ++i) {
            Written operand = texts.get(arguments[i]);
            operands[i] = operand.text();
            nesting = Math.max(nesting, operand.nesting() + 1);
        }
        String text = symbol.text(operands);
        if (operands.length > 0 && (uses.get(symbol) > 1 || nesting >= MAX_NESTING)) {
            String name = "v" + variableCount++;
            // Not const: compilers try to evaluate what is made of constants, recursively, and run out of stack.
            variables.append("auto ").append(name).append(" = ").append(text).append(";\n");
            text = name;
            nesting = 0;
        }
        texts.put(symbol, new Written(text, nesting));
    }
}
