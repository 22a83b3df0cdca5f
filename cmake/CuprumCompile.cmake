# How every target of the project is compiled.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# A program is not linked again because a shared library of ours has changed inside.
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    if(PROJECT_IS_TOP_LEVEL)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
    else()
        set(CMAKE_BUILD_TYPE Release)  # here alone: the simulator is slow without it
    endif()
endif()

# ccache, where it is installed and no other launcher is asked for: a folder that is built anew, or a change that is taken
# back, then costs little. Without this sloppiness it caches no source with a precompiled header: ours have the macros of
# their sources, and no __TIME__.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(CUPRUM_CCACHE ccache DOC "ccache; OFF: compile without it")
    if(CUPRUM_CCACHE)
        set(CMAKE_C_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros "${CUPRUM_CCACHE}")
        set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_C_COMPILER_LAUNCHER}")
    endif()
endif()

# Everything with GCC's or Clang's sanitizers (`./run sanitize`): address,undefined or thread; with the assertions of
# libstdc++. Optimised no further than reports stay readable, whatever the build type: an instrumented simulator compiles
# in half the time so.
set(CUPRUM_SANITIZE "" CACHE STRING "Sanitizers to build with: address,undefined or thread; empty: none")
if(CUPRUM_SANITIZE)
    add_compile_options(-fsanitize=${CUPRUM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1)
    if(CUPRUM_SANITIZE MATCHES "undefined")
        # An enumeration in CUDA's interface has whatever int a C program passes; each entry says which it takes.
        add_compile_options(-fno-sanitize=enum)
    endif()
    add_compile_definitions(_GLIBCXX_ASSERTIONS)
    add_link_options(-fsanitize=${CUPRUM_SANITIZE})
    if(CUPRUM_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        add_compile_options(-Wno-tsan)  # fences, which GCC's runtime does not model
    endif()
endif()

# cuprum_target(<target>): warnings and the rest that every hand-written target shares.
function(cuprum_target target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
        -Wredundant-decls)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        # g++ 12 warns wrongly about std::string concatenation (GCC bug 105651) and std::optional (GCC bug 80635).
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict -Wno-maybe-uninitialized>)
    endif()
    if(CUPRUM_WARNINGS_AS_ERRORS)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
endfunction()

# For a build of everything from nothing, as `./run demo` makes it: half the compiler's work goes into headers that most
# files include. Whoever changes one file and builds again is better off without.
option(CUPRUM_UNITY_BUILD "Compile the files of a layer in batches, as one, or with precompiled headers" OFF)

# cuprum_unity(<target> [ALONE <source>...]): with CUPRUM_UNITY_BUILD the target's sources are compiled in batches, except
# those that must be alone. scripts/check_unnamed.py holds them to what that needs.
function(cuprum_unity target)
    cmake_parse_arguments(ARG "" "" "ALONE" ${ARGN})
    if(CUPRUM_UNITY_BUILD)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
        set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
endfunction()

# cuprum_precompile(<target>): with CUPRUM_UNITY_BUILD the target's sources, which cannot be compiled as one, find what most
# of them include of the standard library precompiled. Sources with options of their own compile it for themselves.
function(cuprum_precompile target)
    if(NOT CUPRUM_UNITY_BUILD)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
        get_source_file_property(options "${source}" COMPILE_OPTIONS)
        if(options)
            set_source_files_properties("${source}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
        endif()
    endforeach()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # GCC forgets that a precompiled header is the system's, and warns wrongly of what it inlines from it.
        target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
    endif()
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <bit> <chrono> <cstdint> <cstring> <functional>
        <map> <memory> <mutex> <optional> <span> <string> <string_view> <unordered_map> <utility> <vector>)
endfunction()

# cuprum_layer(<name> SOURCES ... [PUBLIC_LINK ...] [PRIVATE_LINK ...]): the static library of one C++ layer,
# target cuprum_<name>, alias cuprum::<name>, headers in <layer>/include.
function(cuprum_layer name)
    cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC_LINK;PRIVATE_LINK" ${ARGN})
    add_library(cuprum_${name} STATIC ${ARG_SOURCES})
    add_library(cuprum::${name} ALIAS cuprum_${name})
    set_target_properties(cuprum_${name} PROPERTIES EXPORT_NAME ${name})
    target_compile_features(cuprum_${name} PUBLIC cxx_std_20)
    target_include_directories(cuprum_${name} PUBLIC
        $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(cuprum_${name} PUBLIC ${ARG_PUBLIC_LINK} PRIVATE ${ARG_PRIVATE_LINK})
    cuprum_target(cuprum_${name})
endfunction()

# Seconds that a test program has.
set(CUPRUM_TEST_TIMEOUT 300)
if(CUPRUM_SANITIZE)
    set(CUPRUM_TEST_TIMEOUT 1500)
endif()

# cuprum_slow(<test>... [SECONDS <seconds>]): leaves tests out of the quick lane, `./run test -L quick`, and gives them half an
# hour. SECONDS: about how much of a processor's time they take, where that is minutes. As long as CTest has no times of its
# own it begins with the longest. (A test with PROCESSORS would wait until so many are free at once, which is at the end.)
function(cuprum_slow)
    cmake_parse_arguments(ARG "" "SECONDS" "" ${ARGN})
    if(NOT ARG_SECONDS)
        set(ARG_SECONDS 60)
    endif()
    set_property(TEST ${ARG_UNPARSED_ARGUMENTS} APPEND PROPERTY LABELS slow)
    set_tests_properties(${ARG_UNPARSED_ARGUMENTS} PROPERTIES COST ${ARG_SECONDS} TIMEOUT 1800)
endfunction()

# cuprum_test(<name> SOURCES ... [LINK ...] [ENVIRONMENT ...] [LABELS ...]): one GoogleTest program, one CTest entry. It
# compiles afresh, unless ENVIRONMENT says otherwise.
function(cuprum_test name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK;ENVIRONMENT;LABELS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    if(TARGET cuprum_test_headers)
        target_precompile_headers(${name} REUSE_FROM cuprum_test_headers)
    endif()
    target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gmock GTest::gtest_main)
    cuprum_target(${name})
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES
        ENVIRONMENT "CUPRUM_CACHE=off;${ARG_ENVIRONMENT}" LABELS "${ARG_LABELS}" TIMEOUT ${CUPRUM_TEST_TIMEOUT})
endfunction()
