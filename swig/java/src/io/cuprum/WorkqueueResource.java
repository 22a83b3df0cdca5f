package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.util.Objects;

/**
 * How the streams of a green context get at a device's queues, so that work of one need not wait for that of another. From
 * {@link Device#workqueueResource} and {@link Context#workqueueResource}.
 *
 * @param device the device that the queues belong to
 * @param sharingScope which contexts share them
 * @param concurrencyLimit how many streams are expected to be at work at once, at most
 */
public record WorkqueueResource(Device device, SharingScope sharingScope, int concurrencyLimit) {
    /** Which contexts share the hardware queues that streams put their work into. */
    public enum SharingScope {
        /** All contexts share all of them. */
        DEVICE_CONTEXT,
        /** Where possible, no other balanced green context uses the same. */
        GREEN_CONTEXT_BALANCED
    }

    /**
     * Refuses null and a limit below 1.
     *
     * @param device the device that the queues belong to
     * @param sharingScope which contexts share them
     * @param concurrencyLimit how many streams are expected to be at work at once, at most
     */
    public WorkqueueResource {
        Objects.requireNonNull(device, "device must not be null");
        Objects.requireNonNull(sharingScope, "sharingScope must not be null");
        if (concurrencyLimit < 1) {
            throw new IllegalArgumentException("concurrencyLimit must be at least 1, not " + concurrencyLimit);
        }
    }

    /**
     * The same with another scope.
     *
     * @param scope which contexts share the queues
     * @return the resource
     */
    public WorkqueueResource withSharingScope(SharingScope scope) {
        return new WorkqueueResource(device, scope, concurrencyLimit);
    }

    /**
     * The same with another limit.
     *
     * @param limit how many streams are expected to be at work at once, at least 1
     * @return the resource
     */
    public WorkqueueResource withConcurrencyLimit(int limit) {
        return new WorkqueueResource(device, sharingScope, limit);
    }

    static WorkqueueResource of(Device device) {
        int[] scope = new int[1];
        int[] limit = new int[1];
        CuprumNative.cuprum_workqueue_of_device(scope, limit, device.deviceId());
        return new WorkqueueResource(device, SharingScope.values()[scope[0]], limit[0]);
    }

    static WorkqueueResource of(Context context) {
        return context.with(Operations.WORKQUEUE_OF_CONTEXT, handle -> {
            int[] scope = new int[1];
            int[] limit = new int[1];
            CuprumNative.cuprum_workqueue_of_context(scope, limit, handle);
            return new WorkqueueResource(context.device(), SharingScope.values()[scope[0]], limit[0]);
        });
    }
}
