#include "check.h"

int failed_checks = 0;

cuprum_error_info last_error(void) {
    cuprum_error_info info;
    memset(&info, 0, sizeof info);
    info.struct_size = sizeof info;
    if (cuprum_error_last(&info) != CUPRUM_SUCCESS) {
        printf("cuprum_error_last failed\n");
        ++failed_checks;
    }
    return info;
}

void check_true(int condition, const char* what, const char* file, int line) {
    if (!condition) {
        printf("%s:%d: not so: %s\n", file, line, what);
        ++failed_checks;
    }
}

void check_status(cuprum_status expected, cuprum_status actual, const char* call, const char* file, int line) {
    const cuprum_error_info info = last_error();
    if (actual != expected) {
        printf("%s:%d: %s\n  expected %s, got %s\n  %s\n", file, line, call, cuprum_error_status_name(expected),
               cuprum_error_status_name(actual), info.message);
        ++failed_checks;
    }
    if (info.status != actual) {
        printf("%s:%d: %s returned %d, but the last error's status is %d\n", file, line, call, (int)actual,
               (int)info.status);
        ++failed_checks;
    }
    if ((actual == CUPRUM_SUCCESS) != (info.message[0] == '\0')) {
        printf("%s:%d: %s returned %d with the message \"%s\"\n", file, line, call, (int)actual, info.message);
        ++failed_checks;
    }
}

void check_message(const char* part, const char* file, int line) {
    const cuprum_error_info info = last_error();
    if (strstr(info.message, part) == NULL) {
        printf("%s:%d: \"%s\" is not in the message:\n  %s\n", file, line, part, info.message);
        ++failed_checks;
    }
}

void check_text(const char* expected, const char* actual, const char* what, const char* file, int line) {
    if (actual == NULL || strcmp(expected, actual) != 0) {
        printf("%s:%d: %s is \"%s\", expected \"%s\"\n", file, line, what, actual == NULL ? "(NULL)" : actual,
               expected);
        ++failed_checks;
    }
}

uint64_t live_handles(void) {
    uint64_t count = UINT64_MAX;
    SUCCEEDS(cuprum_live_handles(&count));
    return count;
}
