package io.cuprum;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Options of one compile, under cuda.core's names. An option that is not set has the compiler's default. The setters
 * return these options, so that they can be chained. NVVM IR takes the name, arch, debug, deviceCodeOptimize, ftz,
 * precSqrt, precDiv, fma, extraSource, useLibdevice, noCache and libNVVM's own options, and none of the others.
 */
public final class ProgramOptions {
    private String name = "default_program";
    private final List<String> options = new ArrayList<>();
    private final List<Module> extraSources = new ArrayList<>();

    /** A module of NVVM IR. */
    record Module(String name, byte[] code) {}

    /** All defaults. */
    public ProgramOptions() {}

    /** {@return the name of the source in compile logs} */
    public String name() {
        return name;
    }

    /**
     * Sets the name of the source in compile logs.
     *
     * @param name such as "saxpy.cu"
     * @return this
     */
    public ProgramOptions name(String name) {
        this.name = name;
        return this;
    }

    /**
     * The architecture to compile for; else that of device 0, or compute_75 if no driver is found.
     *
     * @param arch "sm_90" or "compute_90"
     * @return this
     */
    public ProgramOptions arch(String arch) {
        return add("--gpu-architecture=" + arch);
    }

    /**
     * Whether to generate code that is linked separately.
     *
     * @param enabled true to enable it, false to disable it
     * @return this
     */
    public ProgramOptions relocatableDeviceCode(boolean enabled) {
        return add("--relocatable-device-code=" + enabled);
    }

    /**
     * Whether single-precision denormals are flushed to zero.
     *
     * @param enabled true to enable it, false to disable it
     * @return this
     */
    public ProgramOptions ftz(boolean enabled) {
        return add("--ftz=" + enabled);
    }

    /**
     * Whether single-precision square roots are rounded correctly.
     *
     * @param enabled true to enable it, false to disable it
     * @return this
     */
    public ProgramOptions precSqrt(boolean enabled) {
        return add("--prec-sqrt=" + enabled);
    }

    /**
     * Whether single-precision divisions are rounded correctly.
     *
     * @param enabled true to enable it, false to disable it
     * @return this
     */
    public ProgramOptions precDiv(boolean enabled) {
        return add("--prec-div=" + enabled);
    }

    /**
     * Whether multiplications and additions are contracted.
     *
     * @param enabled true to enable it, false to disable it
     * @return this
     */
    public ProgramOptions fma(boolean enabled) {
        return add("--fmad=" + enabled);
    }

    /**
     * Generates debug information.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public ProgramOptions debug(boolean enabled) {
        return enabled ? add("--device-debug") : this;
    }

    /**
     * Whether to optimise, also where there is debug information.
     *
     * @param enabled true to enable it, false to disable it
     * @return this
     */
    public ProgramOptions deviceCodeOptimize(boolean enabled) {
        return add("--dopt=" + (enabled ? "on" : "off"));
    }

    /**
     * Neither Cuprum nor the compiler keeps the result.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public ProgramOptions noCache(boolean enabled) {
        return enabled ? add("--no-cache") : this;
    }

    /**
     * Links libdevice, CUDA's library of mathematical functions, to NVVM IR.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public ProgramOptions useLibdevice(boolean enabled) {
        return enabled ? add("--use-libdevice") : this;
    }

    /**
     * Adds a module of NVVM IR that is compiled with the program as one.
     *
     * @param name its name in compile logs
     * @param text NVVM IR
     * @return this
     */
    public ProgramOptions extraSource(String name, String text) {
        return extraSource(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Adds a module of NVVM IR that is compiled with the program as one.
     *
     * @param name its name in compile logs
     * @param code text or bitcode, which is copied
     * @return this
     */
    public ProgramOptions extraSource(String name, byte[] code) {
        extraSources.add(new Module(Objects.requireNonNull(name, "name must not be null"), code.clone()));
        return this;
    }

    /**
     * Generates line numbers.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public ProgramOptions lineinfo(boolean enabled) {
        return enabled ? add("--generate-line-info") : this;
    }

    /**
     * Uses fast, less exact mathematics.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public ProgramOptions useFastMath(boolean enabled) {
        return enabled ? add("--use_fast_math") : this;
    }

    /**
     * Vectorises more.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public ProgramOptions extraDeviceVectorization(boolean enabled) {
        return enabled ? add("--extra-device-vectorization") : this;
    }

    /**
     * Prepares for link-time optimisation.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public ProgramOptions linkTimeOptimization(boolean enabled) {
        return enabled ? add("--dlink-time-opt") : this;
    }

    /**
     * Suppresses all warnings.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public ProgramOptions disableWarnings(boolean enabled) {
        return enabled ? add("--disable-warnings") : this;
    }

    /**
     * Treats all kernel pointers as restrict pointers.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public ProgramOptions restrict(boolean enabled) {
        return enabled ? add("--restrict") : this;
    }

    /**
     * Treats functions without an execution space as device functions.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public ProgramOptions deviceAsDefaultExecutionSpace(boolean enabled) {
        return enabled ? add("--device-as-default-execution-space") : this;
    }

    /**
     * Allows __int128.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public ProgramOptions deviceInt128(boolean enabled) {
        return enabled ? add("--device-int128") : this;
    }

    /**
     * Limits the registers of each thread.
     *
     * @param count the most registers
     * @return this
     */
    public ProgramOptions maxRegisterCount(int count) {
        return add("--maxrregcount=" + count);
    }

    /**
     * Defines a macro as 1.
     *
     * @param name the macro's name
     * @return this
     */
    public ProgramOptions defineMacro(String name) {
        return add("--define-macro=" + name);
    }

    /**
     * Defines a macro.
     *
     * @param name the macro's name
     * @param value its text
     * @return this
     */
    public ProgramOptions defineMacro(String name, String value) {
        return add("--define-macro=" + name + "=" + value);
    }

    /**
     * Undefines a macro.
     *
     * @param name the macro's name
     * @return this
     */
    public ProgramOptions undefineMacro(String name) {
        return add("--undefine-macro=" + name);
    }

    /**
     * Adds a header folder, before the toolkit's own, which is always added.
     *
     * @param directory the folder
     * @return this
     */
    public ProgramOptions includePath(String directory) {
        return add("--include-path=" + directory);
    }

    /**
     * Includes a header before the text.
     *
     * @param header the header
     * @return this
     */
    public ProgramOptions preInclude(String header) {
        return add("--pre-include=" + header);
    }

    /**
     * The C++ standard; else c++17.
     *
     * @param standard such as "c++20"
     * @return this
     */
    public ProgramOptions std(String standard) {
        return add("--std=" + standard);
    }

    /**
     * Makes a diagnostic an error.
     *
     * @param number the diagnostic's number
     * @return this
     */
    public ProgramOptions diagError(int number) {
        return add("--diag-error=" + number);
    }

    /**
     * Suppresses a diagnostic.
     *
     * @param number the diagnostic's number
     * @return this
     */
    public ProgramOptions diagSuppress(int number) {
        return add("--diag-suppress=" + number);
    }

    /**
     * Makes a diagnostic a warning.
     *
     * @param number the diagnostic's number
     * @return this
     */
    public ProgramOptions diagWarn(int number) {
        return add("--diag-warn=" + number);
    }

    /**
     * Passes one of the compiler's own options on as it is: NVRTC's, or libNVVM's for NVVM IR.
     *
     * @param option such as "--fmad=false"
     * @return this
     */
    public ProgramOptions extraOption(String option) {
        return add(option);
    }

    String[] toCompilerOptions() {
        return options.toArray(new String[0]);
    }

    List<Module> extraSources() {
        return extraSources;
    }

    private ProgramOptions add(String option) {
        options.add(option);
        return this;
    }
}
