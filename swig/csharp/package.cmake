# Lays out the NuGet package in PACKAGE and zips it into OUTPUT. Run with cmake -P; see CMakeLists.txt.
#
# The simulator is not in runtimes/: from there a build for one platform would put it into the program's own folder, where
# it could be taken for a driver. Cuprum.targets copies it to where libcuprum looks for it.
set(natives "${PACKAGE}/runtimes/linux-x64/native")
file(REMOVE_RECURSE "${PACKAGE}")
file(MAKE_DIRECTORY "${natives}" "${PACKAGE}/simulator/linux-x64/companions" "${PACKAGE}/lib/netstandard2.0" "${PACKAGE}/buildTransitive"
    "${PACKAGE}/_rels")
file(COPY_FILE "${ASSEMBLY}" "${PACKAGE}/lib/netstandard2.0/Cuprum.dll")
file(COPY_FILE "${DOCUMENTATION}" "${PACKAGE}/lib/netstandard2.0/Cuprum.xml")
file(COPY_FILE "${LIBCUPRUM}" "${natives}/${LIBCUPRUM_NAME}")
file(COPY_FILE "${LIBCUPRUM_CSHARP}" "${natives}/libcuprum_csharp.so")
file(COPY_FILE "${SIMULATOR}" "${PACKAGE}/simulator/linux-x64/libcuda.so.1")
# For Execution.Host; what it links is a symbolic link, and a package has none.
foreach(library IN LISTS HOST_LIBRARIES)
    get_filename_component(name "${library}" NAME)
    file(COPY_FILE "${library}" "${natives}/${name}")
endforeach()
file(COPY ${COMPANIONS} DESTINATION "${PACKAGE}/simulator/linux-x64/companions")
file(COPY_FILE "${SOURCE}/package/Cuprum.targets" "${PACKAGE}/buildTransitive/Cuprum.targets")
file(COPY_FILE "${SOURCE}/package/content-types.xml" "${PACKAGE}/[Content_Types].xml")
file(COPY_FILE "${SOURCE}/package/relationships.xml" "${PACKAGE}/_rels/.rels")
file(COPY_FILE "${NUSPEC}" "${PACKAGE}/Cuprum.nuspec")
file(COPY ${LICENSES} DESTINATION "${PACKAGE}")

file(REMOVE "${OUTPUT}")
execute_process(
    COMMAND "${CMAKE_COMMAND}" -E tar cf "${OUTPUT}" --format=zip
        "[Content_Types].xml" _rels Cuprum.nuspec LICENSE THIRD_PARTY_NOTICES buildTransitive lib runtimes simulator
    WORKING_DIRECTORY "${PACKAGE}" COMMAND_ERROR_IS_FATAL ANY)
