# Compiles the Java sources and packs them with the native libraries. Run with cmake -P; see CMakeLists.txt.
#
# The jar's io/cuprum/native/<platform>/ has the simulator and its companions in simulator/, where libcuprum looks beside itself,
# and manifest.txt: a line "<SHA-256> <size> <path>" for each file, which io.cuprum.internal.Loader reads.
set(classes "${SCRATCH}/classes")
set(natives "${classes}/io/cuprum/native/${PLATFORM}")
file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${natives}/simulator/companions")

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
file(GLOB_RECURSE generated_sources "${GENERATED}/*.java")
run("${JAVAC}" ${javac_options} -d "${classes}" ${SOURCES} ${generated_sources})

file(COPY_FILE "${LIBCUPRUM}" "${natives}/${LIBCUPRUM_NAME}")
file(COPY_FILE "${LIBCUPRUM_JAVA}" "${natives}/libcuprum_java.so")
file(COPY_FILE "${SIMULATOR}" "${natives}/simulator/libcuda.so.1")
file(COPY ${COMPANIONS} DESTINATION "${natives}/simulator/companions")
# For Execution.HOST; what it links is a symbolic link, and a jar has none.
set(host_names "")
foreach(library IN LISTS HOST_LIBRARIES)
    get_filename_component(name "${library}" NAME)
    file(COPY_FILE "${library}" "${natives}/${name}")
    list(APPEND host_names "${name}")
endforeach()
file(GLOB companions RELATIVE "${natives}" "${natives}/simulator/companions/*")
set(manifest "")
foreach(path IN ITEMS "${LIBCUPRUM_NAME}" libcuprum_java.so simulator/libcuda.so.1 LISTS companions host_names)
    file(SHA256 "${natives}/${path}" digest)
    file(SIZE "${natives}/${path}" size)
    string(APPEND manifest "${digest} ${size} ${path}\n")
endforeach()
file(WRITE "${natives}/manifest.txt" "${manifest}")

file(COPY ${LICENSES} DESTINATION "${classes}/META-INF")

file(REMOVE "${OUTPUT}")
run("${JAR}" --create --file "${OUTPUT}" -C "${classes}" .)
# Where editors look for the comments.
string(REGEX REPLACE "\\.jar$" "-sources.jar" sources_jar "${OUTPUT}")
run("${JAR}" --create --file "${sources_jar}" -C "${SOURCE_FOLDER}" . -C "${GENERATED}" .)
