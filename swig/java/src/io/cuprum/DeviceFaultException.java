package io.cuprum;

/**
 * A fault on the device, such as an access out of bounds. {@link #detail()} names what is known of it. On a GPU the
 * process can use that device no more.
 */
public final class DeviceFaultException extends DriverException {
    private static final long serialVersionUID = 1L;

    DeviceFaultException(Details details) {
        super(details);
    }
}
