/* usage: test_c SCENARIO. Succeeds when no check failed and no handle is left. */
#include "check.h"
#include "scenarios.h"

struct scenario {
    const char* name;
    void (*run)(void);
};

static const struct scenario scenarios[] = {
    {"main_job", test_main_job},
    {"streams_and_events", test_streams_and_events},
    {"device_queries", test_device_queries},
    {"name_expressions", test_name_expressions},
    {"object_code_from_ptx", test_object_code_from_ptx},
    {"kernel_queries", test_kernel_queries},
    {"fill_and_copy", test_fill_and_copy},
    {"report", test_report},
    {"compile_error", test_compile_error},
    {"missing_kernel", test_missing_kernel},
    {"wrong_arguments", test_wrong_arguments},
    {"launch_over_limits", test_launch_over_limits},
    {"out_of_bounds", test_out_of_bounds},
    {"bad_handles", test_bad_handles},
    {"null_outputs", test_null_outputs},
    {"bad_values", test_bad_values},
    {"argument_types", test_argument_types},
    {"defaults", test_defaults},
    {"bindings", test_bindings},
    {"nvvm_program", test_nvvm_program},
    {"pinned_memory", test_pinned_memory},
    {"user_memory_resource", test_user_memory_resource},
    {"user_memory_resource_fork", test_user_memory_resource_fork},
    {"user_memory_resource_exit", test_user_memory_resource_exit},
    {"widths", test_widths},
    {"parallel", test_parallel},
    {"distributed", test_distributed},
    {"fork", test_fork},
    {"exit", test_exit},
    {"no_driver", test_no_driver},
    {"no_toolkit", test_no_toolkit},
    {"host_execution", test_host_execution},
    {"host_execution_fork", test_host_execution_fork},
    {"host_execution_exit", test_host_execution_exit},
    {"no_host_library", test_no_host_library},
    {"pathfinder", test_pathfinder},
};

int main(int argc, char** argv) {
    const size_t count = sizeof scenarios / sizeof scenarios[0];
    size_t index;
    for (index = 0; argc == 2 && index < count; ++index) {
        if (strcmp(argv[1], scenarios[index].name) == 0) {
            CHECK(live_handles() == 0);
            scenarios[index].run();
            CHECK(live_handles() == 0);
            printf("%s: %d failed checks\n", argv[1], failed_checks);
            return failed_checks == 0 ? 0 : 1;
        }
    }
    printf("usage: %s SCENARIO\n", argv[0]);
    for (index = 0; index < count; ++index) {
        printf("  %s\n", scenarios[index].name);
    }
    return 2;
}
