/* Programs built against an older header, whose structs end earlier, and against a newer one, whose structs go on. */
#include "check.h"

/* What comes after the struct must not be written to. */
static const unsigned char guard_byte = 0x5A;

struct old_stream_options {
    uint32_t struct_size;
    int32_t blocking;
};

struct old_device_properties {
    uint32_t struct_size;
    int32_t compute_capability_major;
    int32_t compute_capability_minor;
    int32_t multiprocessor_count;
};

struct old_error_info {
    uint32_t struct_size;
    int32_t status;
    int32_t domain;
    int32_t code;
    const char* name;
    const char* message;
};

struct new_stream_options {
    cuprum_stream_options known;
    int32_t added;
};

struct new_device_properties {
    cuprum_device_properties known;
    int32_t added[5];
};

struct new_error_info {
    cuprum_error_info known;
    const char* added;
};

static void test_old_program(void) {
    struct {
        struct old_stream_options options;
        int32_t beyond; /* read by mistake, this would be the highest priority */
    } stream_options = {{sizeof(struct old_stream_options), 1}, -1000000};
    union {
        struct old_device_properties properties;
        unsigned char bytes[256];
    } properties;
    union {
        struct old_error_info info;
        unsigned char bytes[256];
    } error;
    cuprum_stream stream = NULL;
    int32_t value = -1;
    size_t index;

    SUCCEEDS(cuprum_stream_create(&stream, 0, (const cuprum_stream_options*)&stream_options));
    SUCCEEDS(cuprum_stream_is_nonblocking(&value, stream));
    CHECK(value == 0);
    SUCCEEDS(cuprum_stream_priority(&value, stream));
    CHECK(value == 0); /* the default */
    SUCCEEDS(cuprum_stream_destroy(stream));

    memset(&properties, guard_byte, sizeof properties);
    properties.properties.struct_size = sizeof properties.properties;
    SUCCEEDS(cuprum_device_properties_get((cuprum_device_properties*)&properties, 0));
    CHECK(properties.properties.struct_size == sizeof properties.properties);
    CHECK(properties.properties.compute_capability_major >= 5 && properties.properties.multiprocessor_count >= 1);
    for (index = sizeof properties.properties; index < sizeof properties; ++index) {
        if (properties.bytes[index] != guard_byte) {
            break;
        }
    }
    CHECK(index == sizeof properties);

    CHECK(cuprum_version(NULL) == CUPRUM_ERROR_INVALID_ARGUMENT);
    memset(&error, guard_byte, sizeof error);
    error.info.struct_size = sizeof error.info;
    CHECK(cuprum_error_last((cuprum_error_info*)&error) == CUPRUM_SUCCESS);
    CHECK(error.info.status == CUPRUM_ERROR_INVALID_ARGUMENT);
    CHECK(strstr(error.info.message, "version_out") != NULL);
    for (index = sizeof error.info; index < sizeof error; ++index) {
        if (error.bytes[index] != guard_byte) {
            break;
        }
    }
    CHECK(index == sizeof error);
}

static void test_new_program(void) {
    struct new_stream_options options = {{sizeof(struct new_stream_options), 1, 0}, 0};
    struct new_device_properties properties;
    struct new_error_info error;
    cuprum_stream stream = NULL;

    SUCCEEDS(cuprum_stream_create(&stream, 0, &options.known));
    SUCCEEDS(cuprum_stream_destroy(stream));
    stream = NULL;
    options.added = 1; /* asks for what this version does not know */
    FAILS_WITH(CUPRUM_ERROR_UNSUPPORTED, cuprum_stream_create(&stream, 0, &options.known));
    MESSAGE_HAS("byte 12");
    CHECK(stream == NULL);

    memset(&properties, guard_byte, sizeof properties);
    properties.known.struct_size = sizeof properties;
    SUCCEEDS(cuprum_device_properties_get(&properties.known, 0));
    CHECK(properties.known.struct_size == sizeof properties && properties.known.warp_size == 32);
    CHECK(properties.added[0] == 0 && properties.added[4] == 0);

    CHECK(cuprum_version(NULL) == CUPRUM_ERROR_INVALID_ARGUMENT);
    memset(&error, guard_byte, sizeof error);
    error.known.struct_size = sizeof error;
    CHECK(cuprum_error_last(&error.known) == CUPRUM_SUCCESS);
    CHECK(error.known.log != NULL && error.added == NULL);
}

static void test_impossible_sizes(void) {
    static const uint32_t sizes[] = {0, 4, 10, 5000, 0xFFFFFFFFu};
    size_t index;
    for (index = 0; index < sizeof sizes / sizeof sizes[0]; ++index) {
        cuprum_stream_options stream_options = {0, 1, 0};
        cuprum_event_options event_options = {0, 1, 0, 0};
        cuprum_device_properties properties;
        cuprum_stream stream = NULL;
        cuprum_event event = NULL;
        stream_options.struct_size = sizes[index];
        event_options.struct_size = sizes[index];
        memset(&properties, guard_byte, sizeof properties);
        properties.struct_size = sizes[index];
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_stream_create(&stream, 0, &stream_options));
        MESSAGE_HAS("struct_size");
        MESSAGE_HAS("`options`");
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_event_create(&event, 0, &event_options));
        FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_device_properties_get(&properties, 0));
        MESSAGE_HAS("88 in this version");
        CHECK(stream == NULL && event == NULL && properties.warp_size == 0x5A5A5A5A);
    }
}

int main(void) {
    test_old_program();
    test_new_program();
    test_impossible_sizes();
    CHECK(live_handles() == 0);
    printf("%d failed checks\n", failed_checks);
    return failed_checks == 0 ? 0 : 1;
}
