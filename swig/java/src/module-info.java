/** Cuprum: CUDA from Java, on a GPU or on Cuprum's simulator. */
module io.cuprum {
    exports io.cuprum;
    exports io.cuprum.bindings;
}
