package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.util.Objects;

/**
 * An {@link Execution} as the C ABI takes it: the fields of cuprum_execution.
 *
 * @param kind CUPRUM_EXECUTION_*
 * @param deviceId the ordinal, for a device
 * @param architectures the architectures, joined by commas, if ahead of time; else null
 * @param determinism what is required of results
 */
record NativeExecution(int kind, int deviceId, String architectures, Determinism determinism) implements Execution {
    /** Where calls without an execution run. Whether the device exists is checked at the call. */
    static final NativeExecution DEVICE_0 = new NativeExecution(CuprumNative.CUPRUM_EXECUTION_DEVICE, 0, null);

    NativeExecution(int kind, int deviceId, String architectures) {
        this(kind, deviceId, architectures, Determinism.NOT_GUARANTEED);
    }

    static NativeExecution of(Execution execution) {
        if (Objects.requireNonNull(execution, "execution") instanceof Device device) {
            return new NativeExecution(CuprumNative.CUPRUM_EXECUTION_DEVICE, device.deviceId(), null);
        }
        return (NativeExecution) execution;
    }

    boolean isHost() {
        return kind == CuprumNative.CUPRUM_EXECUTION_HOST;
    }

    @Override
    public String toString() {
        String place = isHost() ? "Execution.HOST" : architectures == null ? "Device " + deviceId : architectures;
        return determinism == Determinism.NOT_GUARANTEED ? place : place + " " + determinism;
    }
}
