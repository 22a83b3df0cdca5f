package io.cuprum;

import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory of one call of an algorithm on the host's cores ({@link Execution#HOST}). Iterators and {@link HostArray}s
 * are read and written where they are; Java's own arrays are copied out of the heap, and back by finish().
 */
final class HostCall implements AutoCloseable {
    private record Result(HostArray elements, Object array) {}

    private final String operation;
    private final List<Object> kept = new ArrayList<>(4);    // reachable until C has returned
    private List<ElementIterator> made;    // of arrays; null for none
    private List<Result> results;    // to be copied back; null for none

    HostCall(Algorithm algorithm, String operation) {
        algorithm.requireHost(operation);
        this.operation = operation;
    }

    /** The native handle of an iterator over at least `count` elements; `input` is an iterator or an array. */
    long input(Object input, long count) {
        return iterator(input).open(operation, count);
    }

    /** The same where the number of elements to read is unknown. */
    long input(Object input) {
        return iterator(input).open(operation);
    }

    private ElementIterator iterator(Object input) {
        if (input instanceof ElementIterator given) {
            kept.add(given);
            return given;
        }
        refuseBuffer("input", input);
        ElementIterator iterator = ElementIterator.of(HostArrays.of(input));
        if (made == null) {
            made = new ArrayList<>(2);
        }
        made.add(iterator);
        return iterator;
    }

    /** The address of at least `count` elements that are read. */
    long elements(String name, Object array, ElementType type, long count) {
        refuseBuffer(name, array);
        return addressOf(name, HostArrays.of(array), type, count);
    }

    /** The address of room for at least `count` elements, which are all written. */
    long results(String name, Object array, ElementType type, long count) {
        boolean isWhole = array != null && array.getClass().isArray() && Array.getLength(array) == count;
        return results(name, array, isWhole, type, count);
    }

    /** The same where some of them may be left as they are. */
    long someResults(String name, Object array, ElementType type, long count) {
        return results(name, array, false, type, count);
    }

    /** The native handle of an iterator that is written through, for which results() are 0; 0 for an array. */
    long output(Object output, long count) {
        if (output instanceof ElementIterator iterator) {
            kept.add(iterator);
            return iterator.open(operation, count);
        }
        return 0;
    }

    private long results(String name, Object array, boolean isWhole, ElementType type, long count) {
        if (array instanceof ElementIterator) {
            return 0;
        }
        refuseBuffer(name, array);
        if (array instanceof HostArray elements) {
            return addressOf(name, elements, type, count);
        }
        // What is not written stays as it is.
        HostArray elements = isWhole ? HostArrays.room(array) : HostArrays.of(array);
        if (results == null) {
            results = new ArrayList<>(2);
        }
        results.add(new Result(elements, array));
        return addressOf(name, elements, type, count);
    }

    /** elements() of what a call has if, and only if, the algorithm was built with its type; else 0. */
    long elementsIfBuilt(String name, Object array, ElementType type, long count) {
        return Algorithm.isGiven(operation, name, array, type) ? elements(name, array, type, count) : 0;
    }

    /** results() of the same. */
    long resultsIfBuilt(String name, Object array, ElementType type, long count) {
        return Algorithm.isGiven(operation, name, array, type) ? results(name, array, type, count) : 0;
    }

    /** someResults() of the same. */
    long someResultsIfBuilt(String name, Object array, ElementType type, long count) {
        return Algorithm.isGiven(operation, name, array, type) ? someResults(name, array, type, count) : 0;
    }

    private void refuseBuffer(String name, Object memory) {
        if (memory instanceof Buffer) {
            throw Errors.invalidArgument(operation, name,
                    "is a Buffer, and the algorithm was built for the host, which takes arrays and direct buffers");
        }
    }

    private long addressOf(String name, HostArray elements, ElementType type, long count) {
        if (!elements.type().equals(type)) {
            throw Errors.invalidArgument(
                    operation, name, "has elements of " + elements.type() + ", expected " + type);
        }
        if (count < 0 || count > elements.length()) {
            throw Errors.invalidArgument(
                    operation, name, "has " + elements.length() + " elements, expected " + count);
        }
        kept.add(elements);
        return HostArrays.address(elements);
    }

    /** Call when C has returned without an error. */
    void finish() {
        if (results != null) {
            for (Result result : results) {
                HostArrays.copyBack(result.elements, result.array);
            }
        }
    }

    @Override
    public void close() {
        if (made != null) {
            made.forEach(ElementIterator::close);
        }
        Reference.reachabilityFence(kept);
        Reference.reachabilityFence(results);
    }
}
