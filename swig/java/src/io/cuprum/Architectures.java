package io.cuprum;

import java.util.List;

/**
 * Architectures that an algorithm is built for ahead of time, with no device. It cannot be called then, only saved.
 *
 * @param names "sm_90" gives machine code for that one, "compute_80" PTX for all from there on and for the simulator
 */
public record Architectures(List<String> names) implements BuildTarget {
    /**
     * At least one.
     *
     * @param names "sm_90", "compute_80"
     */
    public Architectures {
        names = List.copyOf(names);
        if (names.isEmpty()) {
            throw new IllegalArgumentException("expected at least one architecture, such as \"sm_90\"");
        }
    }

    /**
     * The architectures of these names.
     *
     * @param names at least one
     * @return the target
     */
    public static Architectures of(String... names) {
        return new Architectures(List.of(names));
    }
}
