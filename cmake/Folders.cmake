# One static library for each folder of src/, linked to exactly its row of the table of folders
# (README, "How it is built"; scripts/check_layers.py holds the includes to the same table).

include(TorchSources)

add_library(heed_options INTERFACE)
target_compile_options(heed_options INTERFACE -Wall -Wextra -Wshadow -Werror)
target_include_directories(heed_options INTERFACE "${CMAKE_SOURCE_DIR}/src")
target_link_libraries(heed_options INTERFACE LibTorch::LibTorch)

file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/pch.cpp" CONTENT "// what the precompiled header is made with\n")
add_library(heed_pch STATIC "${CMAKE_BINARY_DIR}/pch.cpp")
target_link_libraries(heed_pch PUBLIC heed_options)
if(HEED_PCH)
  target_precompile_headers(heed_pch PRIVATE "${CMAKE_SOURCE_DIR}/src/base/torch.h")
endif()

function(heed_reuse_pch target)
  if(HEED_PCH)
    target_precompile_headers(${target} REUSE_FROM heed_pch)
  endif()
endfunction()

# heed_folder(NAME [other folders ...] [THIRD_PARTY libraries ...])
function(heed_folder name)
  cmake_parse_arguments(FOLDER "" "" "THIRD_PARTY" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${name}/*.cpp")
  heed_units(units "${CMAKE_SOURCE_DIR}/src" ${name} ${sources})
  add_library(heed_${name} STATIC ${units})
  list(TRANSFORM FOLDER_UNPARSED_ARGUMENTS PREPEND heed_ OUTPUT_VARIABLE folders)
  target_link_libraries(heed_${name} PUBLIC heed_options ${folders} ${FOLDER_THIRD_PARTY})
  heed_reuse_pch(heed_${name})
endfunction()
