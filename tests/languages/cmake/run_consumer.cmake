# usage: cmake -DBUILD=... -DSOURCE=... -DWORK=... -DGENERATOR=... -P run_consumer.cmake
function(must)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        string(REPLACE ";" " " command "${ARGN}")
        message(FATAL_ERROR "'${command}' failed (${result}):\n${output}")
    endif()
    message(STATUS "${output}")
endfunction()

file(REMOVE_RECURSE "${WORK}/prefix" "${WORK}/moved" "${WORK}/build")
must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix --component development)
# An installed tree may be moved.
file(RENAME "${WORK}/prefix" "${WORK}/moved")
# The tool comes with it, and finds the simulator that moved along.
must(${WORK}/moved/bin/cuprum find cuda)
must(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${WORK}/moved)
must(${CMAKE_COMMAND} --build ${WORK}/build)
must(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build --output-on-failure)
