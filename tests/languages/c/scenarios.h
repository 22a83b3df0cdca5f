/* One function per scenario; each leaves no handle behind. */
#ifndef CUPRUM_TESTS_C_SCENARIOS_H
#define CUPRUM_TESTS_C_SCENARIOS_H

/* main_job.c */
void test_main_job(void);
void test_streams_and_events(void);
void test_device_queries(void);
void test_name_expressions(void);
void test_object_code_from_ptx(void);
void test_kernel_queries(void);
void test_fill_and_copy(void);
void test_report(void);

/* bad_input.c */
void test_compile_error(void);
void test_missing_kernel(void);
void test_wrong_arguments(void);
void test_launch_over_limits(void);
void test_out_of_bounds(void);
void test_bad_handles(void);
void test_null_outputs(void);
void test_bad_values(void);

/* nvvm_program.c */
void test_nvvm_program(void);

/* pinned_memory.c */
void test_pinned_memory(void);

/* user_memory_resource.c */
void test_user_memory_resource(void);
void test_user_memory_resource_fork(void);
void test_user_memory_resource_exit(void);

/* argument_types.c */
void test_argument_types(void);
void test_defaults(void);

/* bindings.c; the second one is part of no_toolkit */
void test_bindings(void);
void check_missing_nvrtc(void);

/* pathfinder.c */
void test_pathfinder(void);

/* widths.c */
void test_widths(void);

/* parallel.c */
void test_parallel(void);

/* distributed.c: over three devices */
void test_distributed(void);

/* host_execution.c: a process each; the third one does not return */
void test_host_execution(void);
void test_host_execution_fork(void);
void test_host_execution_exit(void);
void test_no_host_library(void);

/* processes.c; the second one does not return */
void test_fork(void);
void test_exit(void);

/* missing_parts.c: a process each, for parts that are hidden from it */
void test_no_driver(void);
void test_no_toolkit(void);

#endif
