# Finds the headers of one CUDA toolkit (cuda.h, cudaTypedefs.h, cudaProfiler.h, nvrtc.h, nvJitLink.h) and defines
# CudaHeaders::CudaHeaders. No CUDA library is ever linked.
#
# Looked at, in this order: CUPRUM_CUDA_INCLUDE_DIR, CUDA_PATH and CUDA_HOME, the nvidia/cu13 wheel folder of the active
# Python environment (of pip's build environment where a wheel is being built), /usr/local/cuda. All headers must come
# from the same folder.

if(NOT CUPRUM_CUDA_INCLUDE_DIR)
    set(_candidates "")
    foreach(_variable IN ITEMS CUDA_PATH CUDA_HOME)
        if(DEFINED ENV{${_variable}})
            list(APPEND _candidates "$ENV{${_variable}}/include")
        endif()
    endforeach()
    if(DEFINED ENV{VIRTUAL_ENV})
        file(GLOB _wheels "$ENV{VIRTUAL_ENV}/lib/python3*/site-packages/nvidia/cu13/include")
        list(APPEND _candidates ${_wheels})
    endif()
    if(SKBUILD AND Python_EXECUTABLE)
        execute_process(
            COMMAND "${Python_EXECUTABLE}" -c "import sys; print(*[p + '/nvidia/cu13/include' for p in sys.path], sep=';')"
            OUTPUT_VARIABLE _wheels OUTPUT_STRIP_TRAILING_WHITESPACE)
        list(APPEND _candidates ${_wheels})
    endif()
    list(APPEND _candidates /usr/local/cuda/include)
    foreach(_candidate IN LISTS _candidates)
        if(EXISTS "${_candidate}/cuda.h" AND EXISTS "${_candidate}/cudaTypedefs.h" AND EXISTS "${_candidate}/nvrtc.h"
                AND EXISTS "${_candidate}/cudaProfiler.h")
            set(CUPRUM_CUDA_INCLUDE_DIR "${_candidate}" CACHE PATH "Folder with cuda.h, nvrtc.h, nvJitLink.h")
            break()
        endif()
    endforeach()
endif()

if(CUPRUM_CUDA_INCLUDE_DIR AND EXISTS "${CUPRUM_CUDA_INCLUDE_DIR}/cuda.h")
    file(STRINGS "${CUPRUM_CUDA_INCLUDE_DIR}/cuda.h" _version_line REGEX "^#define CUDA_VERSION [0-9]+")
    string(REGEX REPLACE "^#define CUDA_VERSION ([0-9]+).*" "\\1" CudaHeaders_VERSION "${_version_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CudaHeaders REQUIRED_VARS CUPRUM_CUDA_INCLUDE_DIR VERSION_VAR CudaHeaders_VERSION
    REASON_FAILURE_MESSAGE "set CUDA_PATH to a toolkit, or run ./run setup, which installs the headers' wheels")

if(CudaHeaders_FOUND AND NOT TARGET CudaHeaders::CudaHeaders)
    add_library(CudaHeaders::CudaHeaders INTERFACE IMPORTED)
    set_target_properties(CudaHeaders::CudaHeaders PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${CUPRUM_CUDA_INCLUDE_DIR}")
endif()
