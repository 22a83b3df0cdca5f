package io.cuprum;

import io.cuprum.internal.CuprumNative;

/** When the sources of a batch of copies are read. */
public enum CopySourceAccessOrder {
    /** In the stream's order. */
    STREAM(CuprumNative.CUPRUM_COPY_SOURCE_STREAM),
    /** Before the call returns; no earlier work may still write them. */
    DURING_API_CALL(CuprumNative.CUPRUM_COPY_SOURCE_DURING_API_CALL),
    /** At any time until the copy is done; no earlier work may still write them. */
    ANY(CuprumNative.CUPRUM_COPY_SOURCE_ANY);

    final int number;

    CopySourceAccessOrder(int number) {
        this.number = number;
    }
}
