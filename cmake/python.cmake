# The Python package (python/, docs/python.md), where pybind11 and the headers of Python are: build/…/python is a folder for PYTHONPATH.

if(NOT WATTLOOP_PYTHON)
  return()
endif()
if(EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "Python that the package is for")
endif()
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 ${WATTLOOP_LEAST_pybind11} QUIET CONFIG)
if(NOT pybind11_FOUND OR NOT Python_Development.Module_FOUND)
  message(STATUS "No pybind11 (Debian: pybind11-dev, python3-dev): the Python package is not built")
  return()
endif()

set(package ${CMAKE_BINARY_DIR}/python/wattloop)
set(module_folder ${CMAKE_INSTALL_LIBDIR}/python3/dist-packages/wattloop)
if(CMAKE_INSTALL_LIBDIR MATCHES "/")   # Debian: lib/x86_64-linux-gnu; packages of Python are in lib
  string(REGEX REPLACE "/.*" "/python3/dist-packages/wattloop" module_folder ${CMAKE_INSTALL_LIBDIR})
endif()
file(RELATIVE_PATH to_library ${CMAKE_INSTALL_PREFIX}/${module_folder} ${CMAKE_INSTALL_FULL_LIBDIR})

pybind11_add_module(wattloop_python MODULE NO_EXTRAS ${CMAKE_SOURCE_DIR}/python/module.cpp)
target_link_libraries(wattloop_python PRIVATE wattloop_library wattloop_options)
target_compile_definitions(wattloop_python PRIVATE WATTLOOP_VERSION="${PROJECT_VERSION}")
set_target_properties(wattloop_python PROPERTIES OUTPUT_NAME _wattloop LIBRARY_OUTPUT_DIRECTORY ${package}
  INSTALL_RPATH "$ORIGIN/${to_library}:$ORIGIN/lib")   # the second one: where pip has installed it (setup.py)

file(GLOB python_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/wattloop/*.py ${CMAKE_SOURCE_DIR}/python/wattloop/*.pyi ${CMAKE_SOURCE_DIR}/python/wattloop/py.typed)
file(MAKE_DIRECTORY ${package})
foreach(file IN LISTS python_files)
  get_filename_component(name ${file} NAME)
  file(CREATE_LINK ${file} ${package}/${name} SYMBOLIC)
endforeach()

install(TARGETS wattloop_python LIBRARY DESTINATION ${module_folder} COMPONENT python)
install(FILES ${python_files} DESTINATION ${module_folder} COMPONENT python)
