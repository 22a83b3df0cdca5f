# The installed tree, and what find_package(Cuprum) and pkg-config read of it. Everything in it may be moved together.
#
# Components: `runtime`, what programs need when they run (libcuprum, the algorithms on the host's cores, the simulator);
# `development`, what they are built with; `tools`, the commands. `cmake --install` without --component installs these
# three. `python` is the wheel's content (swig/python), which only the wheel asks for.
include(CMakePackageConfigHelpers)

set(cuprum_config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Cuprum")

set(cuprum_headers "${PROJECT_BINARY_DIR}/parallel/include/")
foreach(layer IN ITEMS pathfinder bindings core parallel capi)
    list(APPEND cuprum_headers "${PROJECT_SOURCE_DIR}/${layer}/include/")
endforeach()
install(DIRECTORY ${cuprum_headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")

install(TARGETS cuprum_pathfinder cuprum_bindings cuprum_core cuprum_parallel cuprum_capi EXPORT CuprumTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime NAMELINK_COMPONENT development)
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

# pkg-config: `cuprum` is the C ABI, `cuprum-cpp` the C++ layers. Relative to their own place, so that the tree may be moved.
set(cuprum_pkgconfig_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH CUPRUM_PREFIX_FROM_PKGCONFIG "/${cuprum_pkgconfig_folder}" "/")
foreach(module IN ITEMS cuprum cuprum-cpp)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/${module}.pc.in" "${PROJECT_BINARY_DIR}/${module}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${module}.pc" DESTINATION "${cuprum_pkgconfig_folder}" COMPONENT development)
endforeach()

foreach(component IN ITEMS runtime development)
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/THIRD_PARTY_NOTICES"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT ${component})
endforeach()
