/* Parts of the toolkit by kind, one toolkit, and what is wrong with the machine. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scenarios.h"

static void check_every_kind(void) {
    const char* path = "";
    const char* name = "";
    const char* file = "";
    uint32_t count = 0;
    int32_t kind = 0;
    int32_t origin = 7;
    for (kind = CUPRUM_PART_DYNAMIC_LIBRARY; kind <= CUPRUM_PART_BINARY_UTILITY; ++kind) {
        SUCCEEDS(cuprum_part_count(&count, kind));
        CHECK(count > 0);
        SUCCEEDS(cuprum_part_info(&name, &file, &origin, kind, count - 1));
        CHECK(name[0] != '\0' && file[0] != '\0');
        CHECK(origin >= CUPRUM_ORIGIN_TOOLKIT && origin <= CUPRUM_ORIGIN_DRIVER);
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_part_info(&name, &file, &origin, kind, count));
        MESSAGE_HAS("index");
    }
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_part_count(&count, 5));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_find_part(&path, NULL, -1, "nvrtc"));
    MESSAGE_HAS("kind");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_find_bitcode_library(&path, NULL, "devise"));
    MESSAGE_HAS("did you mean device");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_find_static_library(&path, NULL, "cudadevrtt"));
    MESSAGE_HAS("did you mean cudadevrt");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_find_binary_utility(&path, NULL, "nvccc"));
    MESSAGE_HAS("did you mean nvcc");
}

static void check_library_and_headers(void) {
    const char* path = "";
    const char* found_via = "";
    char first[4096] = "";
    uint64_t handle = 0;
    uint64_t again = 0;
    int32_t was_already_loaded = 7;
    uint32_t count = 0;
    SUCCEEDS(cuprum_load_library(&path, &found_via, &handle, &was_already_loaded, "nvrtc"));
    CHECK(strstr(path, "libnvrtc.so") != NULL && found_via[0] != '\0');
    CHECK(handle != 0 && was_already_loaded == 0);
    SUCCEEDS(cuprum_load_library(&path, NULL, &again, &was_already_loaded, "nvrtc"));
    CHECK(again == handle && was_already_loaded == 0);
    SUCCEEDS(cuprum_include_directory_count(&count));
    CHECK(count == 1 || count == 2);
    SUCCEEDS(cuprum_include_directory(&path, 0));
    strncpy(first, path, sizeof first - 1);
    SUCCEEDS(cuprum_find_part(&path, NULL, CUPRUM_PART_HEADERS, "cudart"));
    CHECK_TEXT(first, path);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_include_directory(&path, count));
}

static void check_toolkit(void) {
    cuprum_toolkit toolkit = NULL;
    cuprum_toolkit in_use = NULL;
    const char* elsewhere[] = {"cufft"};
    const char* misspelled[] = {"cuftt"};
    const char* root = "";
    const char* found_via = "";
    const char* version = "";
    const char* path = "";
    uint64_t handle = 0;
    uint32_t count = 0;
    int32_t severity = 0;
    int32_t was_already_loaded = 7;
    SUCCEEDS(cuprum_toolkit_find(&toolkit, ">=12,<99", elsewhere, 1));
    SUCCEEDS(cuprum_toolkit_describe(&root, &found_via, &version, toolkit));
    CHECK(root[0] == '/' && found_via[0] != '\0' && strchr(version, '.') != NULL);
    SUCCEEDS(cuprum_toolkit_find_part(&path, NULL, toolkit, CUPRUM_PART_DYNAMIC_LIBRARY, "nvrtc"));
    CHECK(strstr(path, "libnvrtc.so") != NULL);
    SUCCEEDS(cuprum_toolkit_load_library(&path, NULL, &handle, &was_already_loaded, toolkit, "nvJitLink"));
    CHECK(handle != 0);
    SUCCEEDS(cuprum_toolkit_check(&count, toolkit));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_finding(&severity, &path, &path, &path, count));
    SUCCEEDS(cuprum_toolkit_use(toolkit));
    SUCCEEDS(cuprum_toolkit_destroy(toolkit));
    SUCCEEDS(cuprum_toolkit_destroy(NULL));
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_toolkit_use(toolkit));
    MESSAGE_HAS("toolkit");
    SUCCEEDS(cuprum_toolkit_in_use(&in_use)); /* it lives on */
    SUCCEEDS(cuprum_toolkit_find_part(&path, NULL, in_use, CUPRUM_PART_HEADERS, "cudart"));
    SUCCEEDS(cuprum_toolkit_destroy(in_use));
    FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND, cuprum_toolkit_find(&toolkit, "<11", NULL, 0));
    MESSAGE_HAS("does not allow");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_toolkit_find(&toolkit, "newest", NULL, 0));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_toolkit_find(&toolkit, NULL, misspelled, 1));
    MESSAGE_HAS("did you mean cufft");
    SUCCEEDS(cuprum_reset_pathfinder());
}

static void check_findings(void) {
    const char* subject = "";
    const char* problem = "";
    const char* remedy = "";
    uint32_t count = 0;
    uint32_t index = 0;
    int32_t severity = 7;
    int found = 0;
    CHECK(setenv("CUPRUM_TOOLKIT", "<11", 1) == 0);
    SUCCEEDS(cuprum_doctor(&count));
    for (index = 0; index < count; ++index) {
        SUCCEEDS(cuprum_finding(&severity, &subject, &problem, &remedy, index));
        if (strcmp(subject, "toolkit") == 0 && severity == CUPRUM_SEVERITY_ERROR) {
            found = strstr(problem, "does not allow") != NULL && strstr(remedy, "unset CUPRUM_TOOLKIT") != NULL;
        }
    }
    CHECK(found);
    CHECK(unsetenv("CUPRUM_TOOLKIT") == 0);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_finding(&severity, &subject, &problem, &remedy, count));
    MESSAGE_HAS("index");
}

void test_pathfinder(void) {
    check_every_kind();
    check_library_and_headers();
    check_toolkit();
    check_findings();
}
