package io.cuprum;

/**
 * A fault on the device, such as an access out of bounds. {@link #detail()} says what is known about it. On a GPU
 * the process can no longer use that device.
 */
public final class DeviceFaultException extends DriverException {
    private static final long serialVersionUID = 1L;

    DeviceFaultException(Details details) {
        super(details);
    }
}
