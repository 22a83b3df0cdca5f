# Packs the compiled classes with the native libraries. Run with cmake -P; see CMakeLists.txt.
#
# The jar's io/cuprum/native/<platform>/ has the simulator and its companions in simulator/, where libcuprum looks beside itself,
# and manifest.txt: a line "<SHA-256> <size> <path>" for each file, which io.cuprum.internal.Loader reads.
set(natives "${SCRATCH}/io/cuprum/native/${PLATFORM}")
file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${natives}/simulator/companions")

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

file(COPY ${LICENSES} DESTINATION "${SCRATCH}/META-INF")

file(REMOVE "${OUTPUT}")
execute_process(COMMAND "${JAR}" --create --file "${OUTPUT}" -C "${CLASSES}" . -C "${SCRATCH}" . RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${JAR} failed")
endif()
