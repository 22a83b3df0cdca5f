# Fuzz targets (tests/fuzz/README.md). With CUPRUM_FUZZ=ON and clang they are libFuzzer programs; else plain programs that
# replay the seeds and a bounded number of mutations, which the test suite runs.
option(CUPRUM_FUZZ "Build the fuzzers with libFuzzer: needs clang and -fsanitize=fuzzer-no-link everywhere" OFF)

# cuprum_fuzzer(<name> MUTATIONS <number> SEEDS <path>... LABELS <label>... [SOURCES ...] LINK ...)
function(cuprum_fuzzer name)
    cmake_parse_arguments(ARG "" "MUTATIONS" "SEEDS;LABELS;SOURCES;LINK" ${ARGN})
    add_executable(fuzz_${name} ${name}.cpp ${ARG_SOURCES})
    target_link_libraries(fuzz_${name} PRIVATE ${ARG_LINK})
    cuprum_target(fuzz_${name})
    if(CUPRUM_FUZZ)
        target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
        return()
    endif()
    target_sources(fuzz_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/fuzz/replay.cpp")
    add_test(NAME fuzz_${name} COMMAND fuzz_${name} ${ARG_MUTATIONS} ${ARG_SEEDS})
    set_tests_properties(fuzz_${name} PROPERTIES LABELS "fuzz;${ARG_LABELS}" TIMEOUT ${CUPRUM_TEST_TIMEOUT})
endfunction()
