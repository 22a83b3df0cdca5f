/* Preloaded into a test's process: now and then a thread sleeps for up to 60 microseconds before it locks a mutex, or
 * after it has unlocked one. What two threads do between two locks then meets in ways that are rare otherwise. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

typedef int mutex_function(pthread_mutex_t*);

static _Atomic(void*) next_lock, next_unlock;

/* POSIX lets a void* from dlsym be a function; ISO C wants the detour. */
static mutex_function* next(_Atomic(void*)* kept, const char* name) {
    void* found = *kept;
    mutex_function* function = NULL;
    if (found == NULL) {
        *kept = found = dlsym(RTLD_NEXT, name);
    }
    *(void**)&function = found;
    return function;
}

/* xorshift64*. Not seeded: which thread comes when is chance in any case. */
static uint64_t draw(void) {
    static _Thread_local uint64_t state;
    if (state == 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        state = ((uint64_t)now.tv_nsec ^ (uint64_t)(uintptr_t)&state) | 1;
    }
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * 0x2545f4914f6cdd1d) >> 16;
}

static void sleep_at_times(void) {
    const uint64_t drawn = draw();
    if (drawn % 100 != 0) {
        return;
    }
    const struct timespec pause = {0, (long)(drawn / 100 % 60000)};
    nanosleep(&pause, NULL);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
    sleep_at_times();
    return next(&next_lock, "pthread_mutex_lock")(mutex);
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
    const int result = next(&next_unlock, "pthread_mutex_unlock")(mutex);
    sleep_at_times();
    return result;
}
