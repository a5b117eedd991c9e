# LibTorch as one target, LibTorch::LibTorch, from any of
#   -DLIBTORCH=DIR or LIBTORCH=DIR in the environment    an unpacked LibTorch or .../site-packages/torch
#   .venv                                                what scripts/setup.sh links
#
# LibTorch's own TorchConfig.cmake asks for a CUDA toolkit and protobuf, and its include directory
# carries a newer fmt that breaks the system's spdlog. So the libraries are named here, and the
# headers are offered through a directory of links without fmt.
set(LIBTORCH "" CACHE PATH "An existing LibTorch; empty: the one of .venv")
if(NOT "$ENV{LIBTORCH}" STREQUAL "")
  set(LIBTORCH "$ENV{LIBTORCH}" CACHE PATH "An existing LibTorch; empty: the one of .venv" FORCE)
endif()
set(_libtorch "${LIBTORCH}")
if(NOT _libtorch)
  file(GLOB _wheels "${CMAKE_SOURCE_DIR}/.venv/lib/python3*/site-packages/torch")
  if(_wheels)
    list(GET _wheels 0 _libtorch)
  endif()
endif()

find_library(LibTorch_torch torch PATHS "${_libtorch}/lib" NO_DEFAULT_PATH NO_CACHE)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_torch
  REASON_FAILURE_MESSAGE "run scripts/setup.sh, or set LIBTORCH to an unpacked LibTorch")
if(NOT LibTorch_FOUND)
  return()
endif()

set(_lib "${_libtorch}/lib")
set(_links "${CMAKE_BINARY_DIR}/libtorch/include")
file(REMOVE_RECURSE "${_links}.new")
file(MAKE_DIRECTORY "${_links}.new")
file(GLOB _headers "${_libtorch}/include/*")
foreach(_header IN LISTS _headers)
  get_filename_component(_name "${_header}" NAME)
  if(NOT _name STREQUAL "fmt")
    file(CREATE_LINK "${_header}" "${_links}.new/${_name}" SYMBOLIC)
  endif()
endforeach()
file(READ_SYMLINK "${_links}.new/torch" _new)
set(_old)
if(IS_SYMLINK "${_links}/torch")
  file(READ_SYMLINK "${_links}/torch" _old)
endif()
if(NOT _new STREQUAL _old)
  file(REMOVE_RECURSE "${_links}")
  file(RENAME "${_links}.new" "${_links}")
else()
  file(REMOVE_RECURSE "${_links}.new")  # unchanged, and so are the time stamps
endif()

set(_libraries)
foreach(_name c10 torch_cpu c10_cuda torch_cuda torch)
  find_library(_library_${_name} ${_name} PATHS "${_lib}" NO_DEFAULT_PATH NO_CACHE)
  if(_library_${_name})
    list(APPEND _libraries "${_library_${_name}}")
  endif()
endforeach()
find_library(LibTorch_CUDA torch_cuda PATHS "${_lib}" NO_DEFAULT_PATH NO_CACHE)

# A CUDA wheel keeps CUDA's own libraries in its neighbors' directories; LibTorch's run paths find
# them, the linker must not insist.
add_library(LibTorch::LibTorch INTERFACE IMPORTED)
set_target_properties(LibTorch::LibTorch PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${_links};${_links}/torch/csrc/api/include"
  INTERFACE_LINK_LIBRARIES "${_libraries}"
  INTERFACE_LINK_OPTIONS
    "-Wl,--no-as-needed;-Wl,--allow-shlib-undefined;-Wl,-rpath,${_lib};-L${_lib}"
  INTERFACE_COMPILE_OPTIONS "-fopenmp"   # at::parallel_for runs on LibTorch's OpenMP threads
)
# The same OpenMP run time as LibTorch's: two in one process would be two pools of threads.
file(GLOB _openmp "${_lib}/libgomp*.so*")
if(_openmp)
  list(GET _openmp 0 _openmp)
  target_link_libraries(LibTorch::LibTorch INTERFACE "${_openmp}")
else()
  target_link_libraries(LibTorch::LibTorch INTERFACE gomp)
endif()
