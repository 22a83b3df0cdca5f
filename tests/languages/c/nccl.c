/* Communicators over NCCL, of one process and of several, through the C ABI; on the simulator over what stands in for
 * NCCL. That the algorithms do over it what they do without it, distributed.c shows, which runs over it too. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "scenarios.h"

enum { identifier_size = 128, processes = 2, timeout_ms = 60000 };

/* What a broadcast was called with, and what it returns. */
struct broadcast_call {
    int times;
    uint64_t size;
    unsigned char bytes[identifier_size];
    cuprum_status result;
};

static cuprum_status broadcast_to_nobody(void* user_data, void* bytes, uint64_t size) {
    struct broadcast_call* const call = user_data;
    ++call->times;
    call->size = size;
    if (size == identifier_size) {
        memcpy(call->bytes, bytes, identifier_size);
    }
    return call->result;
}

/* Fails as a function of Cuprum's does. */
static cuprum_status broadcast_by_refused_call(void* user_data, void* bytes, uint64_t size) {
    (void)user_data;
    (void)bytes;
    return cuprum_process_broadcast(NULL, size, timeout_ms);
}

static cuprum_status broadcast_by_tcp(void* user_data, void* bytes, uint64_t size) {
    (void)user_data;
    return cuprum_process_broadcast(bytes, size, timeout_ms);
}

/* As MPI would: the bytes go through a file. */
static cuprum_status broadcast_by_file(void* user_data, void* bytes, uint64_t size) {
    const char* const path = getenv("CUPRUM_TEST_BROADCAST_FILE");
    const uint32_t rank = *(const uint32_t*)user_data;
    char new_path[512];
    FILE* file = NULL;
    size_t done = 0;
    if (rank == 0) {
        snprintf(new_path, sizeof new_path, "%s.new", path);
        file = fopen(new_path, "wb");
        done = file == NULL ? 0 : fwrite(bytes, 1, size, file);
        if (file == NULL || fclose(file) != 0 || rename(new_path, path) != 0) {
            return CUPRUM_ERROR_INVALID_STATE;
        }
    } else {
        while ((file = fopen(path, "rb")) == NULL) {
            const struct timespec pause = {0, 5000000};
            nanosleep(&pause, NULL);
        }
        done = fread(bytes, 1, size, file);
        fclose(file);
    }
    return done == size ? CUPRUM_SUCCESS : CUPRUM_ERROR_INVALID_STATE;
}

/* The sum of 1, 2 and 3 in all, of which the last rank has one. */
static int32_t sum_over(cuprum_communicator communicator, cuprum_status expected) {
    static const int32_t elements[2][2] = {{1, 2}, {3, 0}};
    cuprum_distributed_algorithm reduce = NULL;
    cuprum_parallel_operator plus = NULL;
    cuprum_buffer in[2] = {NULL, NULL}, out[2] = {NULL, NULL};
    cuprum_shard inputs[2], outputs[2];
    uint32_t first = 0, local = 0, place;
    int32_t device = -1, sum = 0;
    SUCCEEDS(cuprum_communicator_first_local_rank(&first, communicator));
    SUCCEEDS(cuprum_communicator_local_size(&local, communicator));
    for (place = 0; place < local && place < 2; ++place) {
        const uint64_t count = first + place == 0 ? 2 : 1;
        SUCCEEDS(cuprum_communicator_device(&device, communicator, first + place));
        SUCCEEDS(cuprum_buffer_allocate(&in[place], device, 4 * count, NULL));
        SUCCEEDS(cuprum_buffer_allocate(&out[place], device, 4, NULL));
        SUCCEEDS(cuprum_buffer_copy_from_host(in[place], 0, elements[first + place], 4 * count, NULL));
        inputs[place].type = outputs[place].type = "int32";
        inputs[place].memory = in[place];
        inputs[place].count = count;
        outputs[place].memory = out[place];
        outputs[place].count = 1;
    }
    SUCCEEDS(cuprum_parallel_operator_create(&plus, "plus", NULL, NULL, 0));
    SUCCEEDS(cuprum_distributed_reduce_build(&reduce, communicator, "int32", plus, "int32"));
    FAILS_WITH(expected, cuprum_distributed_reduce(reduce, inputs, local, outputs, local, NULL, 0));
    if (expected != CUPRUM_SUCCESS) {
        MESSAGE_HAS("the program gave it up");
    }
    SUCCEEDS(cuprum_buffer_copy_to_host(&sum, out[0], 0, 4, NULL));
    SUCCEEDS(cuprum_distributed_algorithm_destroy(reduce));
    SUCCEEDS(cuprum_parallel_operator_destroy(plus));
    for (place = 0; place < 2; ++place) {
        SUCCEEDS(cuprum_buffer_destroy(in[place]));
        SUCCEEDS(cuprum_buffer_destroy(out[place]));
    }
    return sum;
}

static void check_devices_of_one_process(void) {
    const int32_t devices[2] = {1, 0}, twice[2] = {0, 0};
    cuprum_communicator communicator = NULL;
    int32_t is_local = -1, can_read = -1;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_communicator_create_nccl(NULL, devices, 8, timeout_ms));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_communicator_create_nccl(&communicator, twice, 8, timeout_ms));
    MESSAGE_HAS("rank 0 and rank 1");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_communicator_create_nccl(&communicator, devices, 3, timeout_ms));
    CHECK(communicator == NULL);
    SUCCEEDS(cuprum_communicator_create_nccl(&communicator, devices, sizeof devices, timeout_ms));
    SUCCEEDS(cuprum_communicator_is_local(&is_local, communicator, 1));
    CHECK(is_local == 1);
    SUCCEEDS(cuprum_communicator_is_local(&is_local, communicator, 2));
    CHECK(is_local == 0);
    SUCCEEDS(cuprum_communicator_can_read_peers(&can_read, communicator));
    CHECK(can_read == 0);
    CHECK(sum_over(communicator, CUPRUM_SUCCESS) == 6);
    SUCCEEDS(cuprum_communicator_abort(communicator));
    sum_over(communicator, CUPRUM_ERROR_INVALID_STATE);
    SUCCEEDS(cuprum_communicator_destroy(communicator));
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_communicator_abort(communicator));
}

static void check_broadcasts(void) {
    struct broadcast_call call = {0, 0, {0}, CUPRUM_SUCCESS};
    cuprum_communicator communicator = NULL;
    int i, set = 0;
    SUCCEEDS(cuprum_communicator_create_process(&communicator, 0, 0, 1, broadcast_to_nobody, &call, timeout_ms));
    CHECK(call.times == 1 && call.size == identifier_size);
    for (i = 0; i < identifier_size; ++i) {
        set += call.bytes[i] != 0;
    }
    CHECK(set > 0);
    CHECK(sum_over(communicator, CUPRUM_SUCCESS) == 3);
    SUCCEEDS(cuprum_communicator_destroy(communicator));
    communicator = NULL;

    call.result = CUPRUM_ERROR_LIBRARY_NOT_FOUND;
    FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND,
               cuprum_communicator_create_process(&communicator, 0, 0, 1, broadcast_to_nobody, &call, timeout_ms));
    MESSAGE_HAS("broadcast of the program's");
    MESSAGE_HAS("its function has returned CUPRUM_ERROR_LIBRARY_NOT_FOUND");
    call.result = 12345;
    FAILS_WITH(CUPRUM_ERROR_INVALID_STATE,
               cuprum_communicator_create_process(&communicator, 0, 0, 1, broadcast_to_nobody, &call, timeout_ms));
    MESSAGE_HAS("12345, which is not a status");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_communicator_create_process(&communicator, 0, 0, 1, broadcast_by_refused_call, NULL, timeout_ms));
    MESSAGE_HAS("bytes");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_communicator_create_process(&communicator, 0, 0, 1, NULL, NULL, timeout_ms));
    MESSAGE_HAS("it has no broadcast");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_communicator_create_process(&communicator, 0, 2, 2, broadcast_to_nobody, &call, timeout_ms));
    MESSAGE_HAS("expected a rank below that");
    CHECK(cuprum_communicator_create_process(&communicator, 99, 0, 1, broadcast_to_nobody, &call, timeout_ms) !=
          CUPRUM_SUCCESS);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_communicator_create_process(NULL, 0, 0, 1, broadcast_to_nobody, &call, timeout_ms));
    CHECK(communicator == NULL);
}

static void check_environment(void) {
    uint32_t rank = 7, count = 7, local_rank = 7;
    int32_t has_broadcast = 7;
    char bytes[4] = {0};
    FAILS_WITH(CUPRUM_ERROR_INVALID_STATE, cuprum_process_from_environment(&rank, &count, &local_rank, &has_broadcast));
    MESSAGE_HAS("torchrun");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_process_from_environment(&rank, &count, &local_rank, NULL));
    setenv("SLURM_PROCID", "5", 1);
    setenv("SLURM_NTASKS", "many", 1);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_process_from_environment(&rank, &count, &local_rank, &has_broadcast));
    MESSAGE_HAS("'many', expected a number");
    CHECK(rank == 7 && count == 7 && local_rank == 7 && has_broadcast == 7);
    setenv("SLURM_NTASKS", "8", 1);
    setenv("SLURM_LOCALID", "1", 1);
    SUCCEEDS(cuprum_process_from_environment(&rank, &count, &local_rank, &has_broadcast));
    CHECK(rank == 5 && count == 8 && local_rank == 1 && has_broadcast == 0);
    FAILS_WITH(CUPRUM_ERROR_INVALID_STATE, cuprum_process_broadcast(bytes, sizeof bytes, 50));
    MESSAGE_HAS("MASTER_ADDR");
    setenv("MASTER_ADDR", "127.0.0.1", 1);
    setenv("MASTER_PORT", "1", 1); /* nobody listens at the next one */
    SUCCEEDS(cuprum_process_from_environment(&rank, &count, &local_rank, &has_broadcast));
    CHECK(has_broadcast == 1);
    FAILS_WITH(CUPRUM_ERROR_INVALID_STATE, cuprum_process_broadcast(bytes, sizeof bytes, 50));
    MESSAGE_HAS("rank 0 has not answered rank 5 in 50 ms");
    unsetenv("SLURM_PROCID");
    unsetenv("SLURM_NTASKS");
    unsetenv("SLURM_LOCALID");
    unsetenv("MASTER_ADDR");
    unsetenv("MASTER_PORT");
}

/* The processes are this program again, in the scenario nccl_rank. */
static void check_two_processes(const char* meeting) {
    pid_t children[processes];
    char number[16];
    int rank, status;
    fflush(stdout);
    setenv("WORLD_SIZE", "2", 1);
    for (rank = 0; rank < processes; ++rank) {
        snprintf(number, sizeof number, "%d", rank);
        setenv("RANK", number, 1);
        setenv("LOCAL_RANK", number, 1);
        children[rank] = fork();
        if (children[rank] == 0) {
            execl("/proc/self/exe", "test_c", "nccl_rank", (char*)NULL);
            _exit(127);
        }
    }
    for (rank = 0; rank < processes; ++rank) {
        status = -1;
        CHECK(children[rank] > 0 && waitpid(children[rank], &status, 0) == children[rank]);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            printf("rank %d of two that meet by %s ended with %d\n", rank, meeting, status);
            ++failed_checks;
        }
    }
    unsetenv("RANK");
    unsetenv("WORLD_SIZE");
    unsetenv("LOCAL_RANK");
}

void test_nccl(void) {
    char port[16], file[64];
    check_devices_of_one_process();
    check_broadcasts();
    check_environment();
    /* Below the ports that systems give out by themselves. */
    snprintf(port, sizeof port, "%d", 20000 + (int)getpid() % 10000);
    setenv("MASTER_ADDR", "127.0.0.1", 1);
    setenv("CUPRUM_MASTER_PORT", port, 1);
    check_two_processes("TCP");
    unsetenv("MASTER_ADDR");
    unsetenv("CUPRUM_MASTER_PORT");
    snprintf(file, sizeof file, "/dev/shm/cuprum-test-c-%d", (int)getpid());
    setenv("CUPRUM_TEST_BROADCAST_FILE", file, 1);
    check_two_processes("a file");
    unsetenv("CUPRUM_TEST_BROADCAST_FILE");
    remove(file);
}

void test_nccl_rank(void) {
    uint32_t rank = 9, count = 9, local_rank = 9, size = 0;
    int32_t has_broadcast = 9, sent = 0, received[processes] = {-1, -1};
    cuprum_communicator communicator = NULL;
    cuprum_buffer own = NULL, all = NULL;
    cuprum_message messages[processes * processes];
    cuprum_stream stream = NULL;
    uint32_t i;
    SUCCEEDS(cuprum_process_from_environment(&rank, &count, &local_rank, &has_broadcast));
    CHECK(count == processes && rank == local_rank && rank < processes);
    CHECK(has_broadcast == (getenv("CUPRUM_TEST_BROADCAST_FILE") == NULL));
    SUCCEEDS(cuprum_communicator_create_process(&communicator, (int32_t)local_rank, rank, count,
                                                has_broadcast ? broadcast_by_tcp : broadcast_by_file, &rank,
                                                timeout_ms));
    SUCCEEDS(cuprum_communicator_size(&size, communicator));
    CHECK(size == processes);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_communicator_stream(&stream, communicator, 1 - rank));
    MESSAGE_HAS("another process");
    CHECK(sum_over(communicator, CUPRUM_SUCCESS) == 6);

    /* Each sends its number to both, which both list alike. */
    sent = 10 + (int32_t)rank;
    SUCCEEDS(cuprum_buffer_allocate(&own, (int32_t)local_rank, sizeof sent, NULL));
    SUCCEEDS(cuprum_buffer_allocate(&all, (int32_t)local_rank, sizeof received, NULL));
    SUCCEEDS(cuprum_buffer_copy_from_host(own, 0, &sent, sizeof sent, NULL));
    memset(messages, 0, sizeof messages);
    for (i = 0; i < processes * processes; ++i) {
        messages[i].from = i / processes;
        messages[i].to = i % processes;
        messages[i].source = own;
        messages[i].destination = all;
        messages[i].destination_offset = 4 * messages[i].from;
        messages[i].size = 4;
    }
    SUCCEEDS(cuprum_communicator_exchange(communicator, messages, processes * processes));
    SUCCEEDS(cuprum_communicator_sync(communicator));
    SUCCEEDS(cuprum_buffer_copy_to_host(received, all, 0, sizeof received, NULL));
    CHECK(received[0] == 10 && received[1] == 11);
    SUCCEEDS(cuprum_buffer_destroy(own));
    SUCCEEDS(cuprum_buffer_destroy(all));
    SUCCEEDS(cuprum_communicator_destroy(communicator));
}

void test_no_nccl(void) {
    const int32_t devices[2] = {1, 0};
    struct broadcast_call call = {0, 0, {0}, CUPRUM_SUCCESS};
    cuprum_communicator communicator = NULL;
    FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND,
               cuprum_communicator_create_nccl(&communicator, devices, sizeof devices, timeout_ms));
    MESSAGE_HAS("libnccl.so.2");
    MESSAGE_HAS("nvidia-nccl-cu13");
    FAILS_WITH(CUPRUM_ERROR_LIBRARY_NOT_FOUND,
               cuprum_communicator_create_process(&communicator, 0, 0, 1, broadcast_to_nobody, &call, timeout_ms));
    CHECK(call.times == 0 && communicator == NULL);
}

void test_old_nccl(void) {
    const int32_t device = 0;
    cuprum_communicator communicator = NULL;
    FAILS_WITH(CUPRUM_ERROR_UNSUPPORTED,
               cuprum_communicator_create_nccl(&communicator, &device, sizeof device, timeout_ms));
    MESSAGE_HAS("expected NCCL 2.14 or newer");
    CHECK(communicator == NULL);
}
