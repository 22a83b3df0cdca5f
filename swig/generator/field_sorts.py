"""What builds a sort by chosen fields of structs, in Java and C#."""

from __future__ import annotations

import string

from algorithms import Algorithm

_JAVA = """
    /**
     * Builds a sort of keys alone, by some fields of structs.
     *
     * @param execution where it will run, or what it is built for
     * @param fields their names, that of the one that counts most first, each in its own order: {@code "age, -place.x"}
     * @param keys the keys' type
     */
    public ${name}(Execution execution, String fields, ElementType keys) {
        this(execution, fields, keys, null);
    }

    /**
     * Builds a sort of keys by some fields of structs, and of values that move with them.
     *
     * @param execution where it will run, or what it is built for
     * @param fields their names, that of the one that counts most first, each in its own order: {@code "age, -place.x"}
     * @param keys the keys' type
     * @param values the values' type; null for none
     */
    public ${name}(Execution execution, String fields, ElementType keys, ElementType values) {
        super(execution, (built, where) -> {
            CuprumNative.${build}(built, where.kind(), where.deviceId(),
                    where.architectures(), where.determinism().ordinal(), fields, keys.text(),
                    values == null ? null : values.text());
        });
        this.keys = keys;
        this.values = values;
    }"""

_CSHARP = """
    /// <summary>Builds a sort by some fields of structs${what}.</summary>
    /// <param name="execution">Where it will run, or what it is built for.</param>
    /// <param name="fields">Their names, that of the one that counts most first, each in its own order:
    /// <c>"age, -place.x"</c>.</param>
    public ${name}(Execution execution, string fields)
        : base(execution, where => {
            IntPtr built;
            CuprumNative.${build}(out built, where.Kind, where.DeviceId,
                where.ArchitectureList, (int)where.Determinism, fields, ElementText<${keys}>.Value,
                ${values});
            return built;
        }) {}"""


def java(algorithm: Algorithm) -> list[str]:
    if algorithm.by_fields is None:
        return []
    return string.Template(_JAVA).substitute(name=algorithm.name, build=algorithm.by_fields.name).split("\n")


def csharp(algorithm: Algorithm, *, has_values: bool) -> list[str]:
    if algorithm.by_fields is None:
        return []
    text = string.Template(_CSHARP).substitute(
        name=algorithm.name,
        build=algorithm.by_fields.name,
        what=", and of values that move with them" if has_values else "",
        keys=algorithm.types["keys"],
        values=f"ElementText<{algorithm.types['values']}>.Value" if has_values else "null",
    )
    return text.split("\n")
