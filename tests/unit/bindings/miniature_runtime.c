/* A CUDA runtime in miniature, of version RUNTIME_VERSION: cudaMemcpy in its two variants, and functions that have
   other signatures in CUDA 12 and 13. */
int cudaRuntimeGetVersion(int* version) {
    *version = RUNTIME_VERSION;
    return 0;
}

int cudaMemcpy(void) {
    return 1;
}

int cudaMemcpy_ptds(void) {
    return 2;
}

/* What is called cudaStreamGetCaptureInfo_v2 in CUDA 12, and nothing that CUDA 13 calls by the plain name. */
int cudaStreamGetCaptureInfo_v2(void) {
    return 0;
}

/* Four arguments in CUDA 12; in CUDA 13 the last is a structure. */
int cudaMemAdvise(void) {
    return 0;
}

/* In CUDA 12 that of a layout which CUDA 12 itself does not fill any more; in CUDA 13 that of a third. */
int cudaGetDeviceProperties(void) {
    return 0;
}
