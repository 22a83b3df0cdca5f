/* A CUDA runtime in miniature: cudaMemcpy in its two variants, and a function with an older signature only. */
int cudaRuntimeGetVersion(int* version) {
    *version = 12020;
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

/* Four arguments in CUDA 12, as here; in CUDA 13 the last is a structure. */
int cudaMemAdvise(void) {
    return 0;
}
