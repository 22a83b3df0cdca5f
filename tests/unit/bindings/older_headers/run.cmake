# usage: cmake -DCUPRUM=... -DPATHFINDER=... -DTOOLKIT=<folder of wheels> -DWORK=... -DGENERATOR=... -DCUPRUM_SANITIZE=... -DCUPRUM_PYTHON=... -P run.cmake
file(GLOB headers "${TOOLKIT}/nvidia/*/include")
if(NOT EXISTS "${TOOLKIT}/nvidia/cuda_runtime/include/cuda.h")
    message(FATAL_ERROR "${TOOLKIT} has no cuda.h: './run test' installs scripts/toolkit12-requirements.txt there")
endif()
string(REPLACE ";" "\\;" headers "${headers}")

function(must)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        string(REPLACE ";" " " command "${ARGN}")
        message(FATAL_ERROR "'${command}' failed (${result}):\n${output}")
    endif()
endfunction()

# Without optimisation: it is the compile that is tested, and a few calls.
must(${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK}" -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Debug
    -DCMAKE_CXX_FLAGS_DEBUG=-O0 "-DHEADERS=${headers}" "-DCUPRUM=${CUPRUM}" "-DPATHFINDER=${PATHFINDER}"
    -DCUPRUM_WARNINGS_AS_ERRORS=ON -DCUPRUM_SANITIZE=${CUPRUM_SANITIZE}
    -DCUPRUM_PYTHON=${CUPRUM_PYTHON})
must(${CMAKE_COMMAND} --build "${WORK}")
must(${CMAKE_CTEST_COMMAND} --test-dir "${WORK}" --output-on-failure)
