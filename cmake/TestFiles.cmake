find_path(CATCH2_V3 catch2/catch_all.hpp)
if(CATCH2_V3)
  find_package(Catch2 3 REQUIRED)
  set(catch_target Catch2::Catch2)
  set(catch_arguments --filenames-as-tags)
else()
  find_package(Catch2 2 REQUIRED)
  set(catch_target Catch2::Catch2)
  set(catch_arguments --filenames-as-tags --warn NoTests)
endif()
set(heed_python "${CMAKE_SOURCE_DIR}/.venv/bin/python")

# Tests are compiled for their own compile time: without optimization, with Catch2 and JSON in a
# precompiled header of their own.
add_library(heed_test_options INTERFACE)
target_compile_options(heed_test_options INTERFACE -O0)
target_compile_definitions(heed_test_options INTERFACE CATCH_CONFIG_FAST_COMPILE
  HEED_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
target_include_directories(heed_test_options INTERFACE "${CMAKE_SOURCE_DIR}/tests")
target_link_libraries(heed_test_options INTERFACE heed_options spdlog::spdlog ${catch_target})

add_library(heed_test_pch STATIC "${CMAKE_BINARY_DIR}/pch.cpp")
target_link_libraries(heed_test_pch PUBLIC heed_test_options)
if(HEED_PCH)
  target_precompile_headers(heed_test_pch PRIVATE "${CMAKE_SOURCE_DIR}/src/base/torch.h"
    <nlohmann/json.hpp> "${CMAKE_SOURCE_DIR}/tests/support/catch.h")
endif()

add_library(heed_test_main STATIC support/main.cpp)
target_link_libraries(heed_test_main PUBLIC heed_test_options)

# heed_folder_tests(FOLDER): tests/FOLDER/**_test.cpp in one program, one ctest test a file and kind.
function(heed_folder_tests folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${folder}/*_test.cpp")
  if(NOT files)
    return()
  endif()
  heed_units(units "${CMAKE_SOURCE_DIR}/tests" ${folder}_tests ${files})
  add_executable(heed_${folder}_tests ${units})
  target_link_libraries(heed_${folder}_tests PRIVATE heed_${folder} heed_test_main)
  if(HEED_PCH)
    target_precompile_headers(heed_${folder}_tests REUSE_FROM heed_test_pch)
  endif()

  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})  # their tags are read
  foreach(file IN LISTS files)
    file(RELATIVE_PATH name "${CMAKE_SOURCE_DIR}/tests" "${file}")
    string(REPLACE "_test.cpp" "" name "${name}")
    get_filename_component(stem "${file}" NAME_WE)
    file(READ "${file}" text)
    foreach(kind unit property golden train cuda)
      string(FIND "${text}" "[${kind}]" found)
      if(NOT found EQUAL -1)
        add_test(NAME "${name} [${kind}]" COMMAND heed_${folder}_tests ${catch_arguments}
          "[#${stem}][${kind}]")
        set_tests_properties("${name} [${kind}]" PROPERTIES LABELS ${kind}
          WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
      endif()
    endforeach()
  endforeach()
endfunction()

function(heed_end_to_end_tests)
  add_library(heed_fork_server MODULE support/fork_server.cpp)
  target_compile_features(heed_fork_server PRIVATE cxx_std_20)
  target_link_libraries(heed_fork_server PRIVATE ${CMAKE_DL_LIBS})
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/end_to_end/*_test.py")
  foreach(file IN LISTS files)
    get_filename_component(stem "${file}" NAME_WE)
    string(REPLACE "_test" "" name "${stem}")
    add_test(NAME "end_to_end/${name} [e2e]"
      COMMAND "${heed_python}" -m pytest -q -p no:cacheprovider "${file}")
    set_tests_properties("end_to_end/${name} [e2e]" PROPERTIES LABELS e2e TIMEOUT 1500
      WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" ENVIRONMENT
      "HEED=$<TARGET_FILE:heed>;HEED_FORK_LIBRARY=$<TARGET_FILE:heed_fork_server>")
  endforeach()
endfunction()

function(heed_style_tests)
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/scripts/check_*.py")
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME_WE)
    add_test(NAME "style/${name} [style]" COMMAND "${heed_python}" "${file}")
    set_tests_properties("style/${name} [style]" PROPERTIES LABELS style
      WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  endforeach()
endfunction()
