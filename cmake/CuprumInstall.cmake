# The installed tree, and the package that find_package(Cuprum) reads. Component names: `development` for C++ and C
# programs; the Python wheel installs its own component (swig/python).
include(CMakePackageConfigHelpers)

set(cuprum_config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Cuprum")

foreach(layer IN ITEMS pathfinder bindings core parallel capi)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${layer}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
endforeach()

install(TARGETS cuprum_pathfinder cuprum_bindings cuprum_core cuprum_parallel cuprum_capi EXPORT CuprumTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(EXPORT CuprumTargets NAMESPACE cuprum:: DESTINATION "${cuprum_config_folder}" COMPONENT development)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/CuprumConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/CuprumConfig.cmake" INSTALL_DESTINATION "${cuprum_config_folder}"
    PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/CuprumConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/CuprumConfig.cmake"
    "${PROJECT_BINARY_DIR}/CuprumConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/FindCudaHeaders.cmake"
    DESTINATION "${cuprum_config_folder}" COMPONENT development)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT development)
