# What the tests and examples of the parallel algorithms compile, in any language, is found by the next one.
set(CUPRUM_TEST_CACHE "CUPRUM_CACHE_DIR=${PROJECT_BINARY_DIR}/tests/compile-cache")

# The environment of tests and examples that run over what stands in for NCCL (tests/support/stand_in_nccl.cpp). A toolkit
# may have a real one, whose devices the simulator's are not; and the stand-in has bindings of its own, which are to call
# the same simulator.
set(CUPRUM_TEST_NCCL_DIR "${PROJECT_BINARY_DIR}/tests/support/nccl")
set(CUPRUM_TEST_OVER_NCCL
    "CUPRUM_TEST_OVER_NCCL=1"
    "LD_LIBRARY_PATH=${CUPRUM_TEST_NCCL_DIR}"
    "LD_PRELOAD=$<TARGET_FILE:cuprum_test_hide_paths>"
    "HIDE_PATHS=/lib/libnccl:/lib64/libnccl:linux-gnu/libnccl"
    "CUPRUM_SIMULATOR_PATH=${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/cuprum/simulator")

# cuprum_examples(VARIABLE LANGUAGE SUFFIX): the names of a language's examples: one program a file, in examples/<language>.
function(cuprum_examples variable language suffix)
    file(GLOB examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/${language}/*.${suffix}")
    list(TRANSFORM examples REPLACE ".*/(.*)\\.${suffix}$" "\\1")
    if(NOT TARGET cuprum_host)
        list(FILTER examples EXCLUDE REGEX "^host_execution$|^HostExecution$")
    endif()
    set(${variable} "${examples}" PARENT_SCOPE)
endfunction()

# cuprum_example_test(LANGUAGE NAME COMMAND ...): runs an example on the simulator. It checks its own results, and its
# exit status says whether they were right. What it calls is traced, for tests/conformance/bindings/healthy_traces_test.py.
set(CUPRUM_EXAMPLE_TRACES "${PROJECT_BINARY_DIR}/tests/traces")
file(MAKE_DIRECTORY "${CUPRUM_EXAMPLE_TRACES}")
function(cuprum_example_test language name)
    cmake_parse_arguments(PARSE_ARGV 2 argument "" "" "COMMAND;ENVIRONMENT")
    if(name MATCHES "^(tensor_map|TensorMap)$")
        list(APPEND argument_ENVIRONMENT "CUPRUM_SIM=cc=9.0")
    elseif(name MATCHES "^(parallel_several_processes|ParallelSeveralProcesses)$")
        list(APPEND argument_ENVIRONMENT ${CUPRUM_TEST_OVER_NCCL})
    endif()
    add_test(NAME example.${language}.${name} COMMAND ${argument_COMMAND})
    set_tests_properties(example.${language}.${name} PROPERTIES LABELS example TIMEOUT 120 FIXTURES_SETUP example_traces
        FAIL_REGULAR_EXPRESSION "has no tensor maps|has no NCCL"    # an example that ended well and has shown nothing
        ENVIRONMENT "CUPRUM_DRIVER=sim;CUPRUM_TRACE=${CUPRUM_EXAMPLE_TRACES}/${language}.${name}.txt;${argument_ENVIRONMENT}")
endfunction()
