# Code that is generated. One rule: what is read from NVIDIA's headers is committed (bindings/tables, simulator/driver/
# generated), because a build must not need those of every toolkit, nor libclang. What is made from files of this
# repository is not committed, but made here, when the build is configured, so that editors and clang-tidy see it as well;
# but for the tables in docs/parallel.md, which are read where they are, and which the test documentation_snippets compares.
# It needs Python 3.11 or newer, and no packages.
set(CUPRUM_PYTHON python3 CACHE STRING "Python that runs the generators and the tests in Python")

# cuprum_generate(<script> ARGUMENTS ... INPUTS <glob> ...): runs a generator, now and whenever one of the inputs has
# changed. The script leaves files alone that would not change.
function(cuprum_generate script)
    cmake_parse_arguments(ARG "" "" "ARGUMENTS;INPUTS" ${ARGN})
    get_filename_component(folder "${script}" DIRECTORY)
    file(GLOB inputs CONFIGURE_DEPENDS "${folder}/*.py" ${ARG_INPUTS})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${inputs}")
    execute_process(COMMAND "${CUPRUM_PYTHON}" -B "${script}" ${ARG_ARGUMENTS}
        RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "'${CUPRUM_PYTHON} ${script}' failed (${result}). It needs Python 3.11 or newer; "
            "-DCUPRUM_PYTHON names another one.\n${output}")
    endif()
endfunction()
