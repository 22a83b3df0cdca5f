# For the benchmarks, and for the test of the table where they are not built. scripts/cub_baseline.sh compiles what it is
# measured against, with nvcc.
add_executable(benchmark_parallel
    "${CMAKE_CURRENT_LIST_DIR}/parallel.cpp" "${CMAKE_CURRENT_LIST_DIR}/bench.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/rows_orders.cpp" "${CMAKE_CURRENT_LIST_DIR}/rows_others.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/rows_selections.cpp" "${CMAKE_CURRENT_LIST_DIR}/rows_sums.cpp")
target_link_libraries(benchmark_parallel PRIVATE cuprum::parallel ${CMAKE_DL_LIBS})
cuprum_target(benchmark_parallel)
