package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.util.List;
import java.util.Objects;

/**
 * Links object codes with nvJitLink: PTX, cubins, LTO-IR, fat binaries, objects and libraries, in any mixture. Keeps its
 * inputs, which may be closed, and can link them again, to another kind of code.
 */
public final class Linker extends LinkerMembers {
    private final String name;

    /**
     * A linker with the default options.
     *
     * @param objectCodes what to link
     */
    public Linker(ObjectCode... objectCodes) {
        this(List.of(objectCodes), new LinkerOptions());
    }

    /**
     * Takes the inputs. Links nothing yet.
     *
     * @param objectCodes what to link; at least one
     * @param options the options, which are copied
     * @throws InvalidArgumentException when an input is damaged, or is not what its code type says
     */
    public Linker(List<ObjectCode> objectCodes, LinkerOptions options) {
        super(create(objectCodes, options), CuprumNative::cuprum_linker_destroy);
        name = options.name();
        try {
            for (ObjectCode code : objectCodes) {
                add(code);
            }
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
    }

    /**
     * Links all inputs; blocks meanwhile. The name expressions of the inputs are those of the result.
     *
     * @param target CUBIN or, where all inputs are LTO-IR, PTX
     * @return the code; the caller closes it
     * @throws NvJitLinkException when the inputs do not match each other or the architecture; its log says why
     * @throws NotFoundException when nvJitLink is missing
     */
    public ObjectCode link(CodeType target) {
        return with(Operations.LINKER_LINK, linker -> {
            long[] objectCode = new long[1];
            CuprumNative.cuprum_linker_link(objectCode, linker, target.value);
            return new ObjectCode(objectCode[0]);
        });
    }

    private void add(ObjectCode code) {
        Objects.requireNonNull(code, "an object code must not be null");
        with(Operations.LINKER_ADD, linker -> code.with(Operations.LINKER_ADD, input -> {
            CuprumNative.cuprum_linker_add(linker, input);
            return null;
        }));
    }

    private static long create(List<ObjectCode> objectCodes, LinkerOptions options) {
        if (objectCodes.isEmpty()) {
            throw Errors.invalidArgument(Operations.LINKER_CREATE, "linker \"" + options.name() + "\"",
                    "there is no object code to link: pass at least one");
        }
        long[] linker = new long[1];
        CuprumNative.cuprum_linker_create(linker, options.name(), options.toLinkOptions());
        return linker[0];
    }

    @Override
    public String toString() {
        return "Linker \"" + name + "\"";
    }
}
