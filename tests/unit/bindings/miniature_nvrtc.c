/* An NVRTC in miniature, of a version that lacks most functions. */
int nvrtcVersion(int* major, int* minor) {
    *major = 12;
    *minor = 3;
    return 0;
}

const char* nvrtcGetErrorString(int result) {
    return result == 0 ? "miniature success" : "miniature failure";
}
