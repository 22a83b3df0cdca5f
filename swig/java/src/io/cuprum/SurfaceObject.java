package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;

/**
 * How kernels write an array, and read what they have written: an argument of type {@code cudaSurfaceObject_t}. It keeps the
 * array. Close it when no kernel uses it any more.
 */
public final class SurfaceObject extends SurfaceObjectMembers {
    private final ResourceDescriptor resource;

    SurfaceObject(long handle, ResourceDescriptor resource) {
        super(handle, CuprumNative::cuprum_surface_object_destroy);
        this.resource = resource;
    }

    static SurfaceObject create(Device device, ResourceDescriptor resource) {
        if (resource.kind() != ResourceDescriptor.Kind.OPAQUE_ARRAY) {
            throw new IllegalArgumentException("a surface object is of an OpaqueArray, not of " + resource);
        }
        long[] surface = new long[1];
        resource.object().with(Operations.SURFACE_OBJECT_CREATE, array -> {
            CuprumNative.cuprum_surface_object_create(surface, device.deviceId(), array);
            return null;
        });
        return new SurfaceObject(surface[0], resource);
    }

    /** {@return what it was made of} */
    public ResourceDescriptor resource() {
        return resource;
    }
}
