# Which headers a folder or a room can include. Includes name a header by its path from the root. A target finds it by a link in the build
# folder, and has links to the folders and rooms that it may use, and to no other. An include against the order of
# docs/architecture.md is therefore "No such file or directory" (docs/decisions/0072-an-include-against-the-order.md).

# Rooms of a folder, in their order: each uses those before it. Files beside the rooms of a folder use all of them, and no room uses such a
# file. tests/architecture/include_rules.cpp reads these lists.
set(WATTLOOP_ROOMS_physics fluids units air water weather)
set(WATTLOOP_ROOMS_electrical admittance flow fault protection supplies)
set(WATTLOOP_ROOMS_network fabric routing shares collectives)
set(WATTLOOP_ROOMS_workload nodes failures checkpoints transformer work queue training transformer_job replay burn_in)
set(WATTLOOP_ROOMS_twin document platform results units parts economics plant actions integration simulation scenario build planning ratings run
  study clusters search comparison calibration drawings report imports sizing commands)
set(WATTLOOP_ROOMS_viz options drawing hall charts pages export window commands program)

set(WATTLOOP_LINKS ${CMAKE_BINARY_DIR}/rooms)
file(REMOVE_RECURSE ${WATTLOOP_LINKS})   # links of an earlier order

# Target wattloop_headers_NAME: headers of these paths, and of the folders in USES.
function(wattloop_headers name)
  cmake_parse_arguments(ARG "" "" "PATHS;USES" ${ARGN})
  set(links ${WATTLOOP_LINKS}/${name})
  foreach(path IN LISTS ARG_PATHS)
    get_filename_component(parent ${links}/${path} DIRECTORY)
    file(MAKE_DIRECTORY ${parent})
    file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${path} ${links}/${path} SYMBOLIC)
  endforeach()
  add_library(wattloop_headers_${name} INTERFACE)
  target_include_directories(wattloop_headers_${name} INTERFACE ${links})
  # Debuggers and reports of sanitizers name the file in the sources.
  target_compile_options(wattloop_headers_${name} INTERFACE $<$<NOT:$<CONFIG:Release>>:-ffile-prefix-map=${links}=${CMAKE_SOURCE_DIR}>)
  list(TRANSFORM ARG_USES PREPEND wattloop_headers_)
  target_link_libraries(wattloop_headers_${name} INTERFACE ${ARG_USES})
endfunction()

# The same for a folder as a whole, and for each of its rooms (wattloop_headers_FOLDER_ROOM). After the name: folders that it uses.
function(wattloop_headers_of_folder folder)
  wattloop_headers(${folder} PATHS ${folder} USES ${ARGN})
  foreach(room IN LISTS WATTLOOP_ROOMS_${folder})
    list(APPEND paths ${folder}/${room})
    wattloop_headers(${folder}_${room} PATHS ${paths} USES ${ARGN})
  endforeach()
endfunction()

# Target whose headers a file of the sources can include.
function(wattloop_headers_for result path)
  string(REGEX MATCH "^([^/]+)/([^/]+)" found ${path})
  if(CMAKE_MATCH_2 IN_LIST WATTLOOP_ROOMS_${CMAKE_MATCH_1})
    set(${result} wattloop_headers_${CMAKE_MATCH_1}_${CMAKE_MATCH_2} PARENT_SCOPE)
  else()
    set(${result} wattloop_headers_${CMAKE_MATCH_1} PARENT_SCOPE)
  endif()
endfunction()
