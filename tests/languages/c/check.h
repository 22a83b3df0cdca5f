/* A tiny test harness in C99. A failed check is printed with its place and what Cuprum said; the test goes on. */
#ifndef CUPRUM_TESTS_C_CHECK_H
#define CUPRUM_TESTS_C_CHECK_H

#include <stdio.h>
#include <string.h>

#include "cuprum/cuprum.h"

extern int failed_checks;

/* The error of the last call on this thread. */
cuprum_error_info last_error(void);

void check_true(int condition, const char* what, const char* file, int line);
/* Also checks that the error's details agree with the status. */
void check_status(cuprum_status expected, cuprum_status actual, const char* call, const char* file, int line);
/* The last error's message contains `part`. */
void check_message(const char* part, const char* file, int line);
void check_text(const char* expected, const char* actual, const char* what, const char* file, int line);
uint64_t live_handles(void);

#define CHECK(condition) check_true((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define CHECK_TEXT(expected, actual) check_text(expected, actual, #actual, __FILE__, __LINE__)
#define SUCCEEDS(call) check_status(CUPRUM_SUCCESS, call, #call, __FILE__, __LINE__)
#define FAILS_WITH(status, call) check_status(status, call, #call, __FILE__, __LINE__)
#define MESSAGE_HAS(part) check_message(part, __FILE__, __LINE__)

#endif
