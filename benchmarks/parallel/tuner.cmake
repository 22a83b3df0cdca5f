# The tuner, for the benchmarks and for its test, whichever is built.
if(NOT TARGET benchmark_tuner)
    add_executable(benchmark_tuner "${CMAKE_CURRENT_LIST_DIR}/tuner.cpp")
    target_link_libraries(benchmark_tuner PRIVATE cuprum::parallel)
    # The rows of tables, whose form is parallel's own.
    target_include_directories(benchmark_tuner PRIVATE "${PROJECT_SOURCE_DIR}/parallel/src")
    cuprum_target(benchmark_tuner)
endif()
