package io.cuprum;

/** Options of one call of an algorithm. Not thread-safe; may be used for many calls. */
public final class CallOptions {
    /** Options that set nothing. */
    static final CallOptions NONE = new CallOptions();

    private Buffer tempStorage;
    private Operator op;
    private Operator secondOp;

    /** Temporary storage from the device's stream-ordered pool, and the operator that the algorithm was built with. */
    public CallOptions() {}

    /**
     * Sets the temporary storage.
     *
     * @param buffer at least {@link Algorithm#tempStorageBytes}; in use until the stream has passed the call
     * @return this
     */
    public CallOptions tempStorage(Buffer buffer) {
        tempStorage = buffer;
        return this;
    }

    /**
     * Sets another state of the operator for this call.
     *
     * @param op {@link Operator#withState} of the one that the algorithm was built with
     * @return this
     */
    public CallOptions op(Operator op) {
        this.op = op;
        return this;
    }

    /**
     * Sets another state of the second operator for this call, of an algorithm with two.
     *
     * @param op {@link Operator#withState} of the second one that the algorithm was built with
     * @return this
     */
    public CallOptions secondOp(Operator op) {
        secondOp = op;
        return this;
    }

    long storage() {
        return tempStorage == null ? 0 : tempStorage.handle();
    }

    long storageSize() {
        return tempStorage == null ? 0 : tempStorage.size();
    }

    /** The native handle of the operator; this object stays reachable for as long as its caller uses it. */
    long op(String operation) {
        return op == null ? 0 : op.open(operation);
    }

    long secondOp(String operation) {
        return secondOp == null ? 0 : secondOp.open(operation);
    }
}
