package io.cuprum;

/** What a conditional node decides. */
public enum GraphConditionalType {
    /** Runs its body once or not at all, or one of two. */
    IF,
    /** Runs its body again and again while the condition is not 0. */
    WHILE,
    /** Runs the body whose number the condition is. */
    SWITCH
}
