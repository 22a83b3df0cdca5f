# Compiles the Java sources into CLASSES and packs them into SOURCES_JAR, for editors. Run with cmake -P; see CMakeLists.txt.
function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        list(GET ARGV 0 program)
        message(FATAL_ERROR "${program} failed")
    endif()
endfunction()

# Documentation is checked as code is: every public name has a complete comment.
# -parameters: editors show the parameters' names without the sources too.
set(javac_options -parameters -Xlint:all -Xdoclint:all/protected -Xdoclint/package:io.cuprum,io.cuprum.bindings --release 17 -encoding UTF-8)
if(WARNINGS_AS_ERRORS)
    list(APPEND javac_options -Werror)
endif()
file(REMOVE_RECURSE "${CLASSES}")
file(GLOB_RECURSE generated_sources "${GENERATED}/*.java")
run("${JAVAC}" ${javac_options} -d "${CLASSES}" ${SOURCES} ${generated_sources})
run("${JAR}" --create --file "${SOURCES_JAR}" -C "${SOURCE_FOLDER}" . -C "${GENERATED}" .)
