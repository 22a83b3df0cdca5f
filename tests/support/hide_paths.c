/* Preloaded into a test's process: paths that contain one of the words in HIDE_PATHS (separated by colons) look absent
 * to stat, lstat and access. So a test has a machine without a toolkit or driver on one that has them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int is_hidden(const char* path) {
    const char* word = getenv("HIDE_PATHS");
    while (path != NULL && word != NULL && *word != '\0') {
        const size_t size = strcspn(word, ":");
        for (const char* at = path; size != 0 && *at != '\0'; ++at) {
            if (strncmp(at, word, size) == 0) {
                return 1;
            }
        }
        word += size + (word[size] == ':');
    }
    return 0;
}

typedef int stat_function(const char*, struct stat*);
typedef int access_function(const char*, int);

static int absent(void) {
    errno = ENOENT;
    return -1;
}

/* POSIX lets a void* from dlsym be a function; ISO C wants the detour. */
int stat(const char* path, struct stat* data) {
    stat_function* next = NULL;
    *(void**)&next = dlsym(RTLD_NEXT, "stat");
    return is_hidden(path) ? absent() : next(path, data);
}

int lstat(const char* path, struct stat* data) {
    stat_function* next = NULL;
    *(void**)&next = dlsym(RTLD_NEXT, "lstat");
    return is_hidden(path) ? absent() : next(path, data);
}

int access(const char* path, int mode) {
    access_function* next = NULL;
    *(void**)&next = dlsym(RTLD_NEXT, "access");
    return is_hidden(path) ? absent() : next(path, mode);
}
