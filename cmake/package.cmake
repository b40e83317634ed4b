# What is installed where, and the Debian packages of it: docs/packaging.md. Program and library find all of it relative to themselves.
# Components are packages: program, library, development, python.

# Programs that others install are hardened: checks of buffers and of the stack, tables of addresses that are read-only once they are bound,
# random addresses. Preset `package` alone sets this option; builds for this machine are as fast as before.
if(WATTLOOP_PACKAGE)
  target_compile_options(wattloop_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2> -fstack-protector-strong
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-fPIE>)   # all else is compiled for any address (cmake/folders.cmake)
  target_link_options(wattloop_options INTERFACE -Wl,-z,relro -Wl,-z,now $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>)
endif()

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(TARGETS wattloop RUNTIME)
install(TARGETS ${views_program} ${level_programs} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/wattloop)
install(DIRECTORY scenarios/ DESTINATION ${CMAKE_INSTALL_DATADIR}/wattloop COMPONENT library
  FILES_MATCHING PATTERN "*.yaml" PATTERN "*.csv" PATTERN "*.md")

# The program writes its man page and its completions when it is installed: they are never older than its commands.
set(shell_files ${CMAKE_BINARY_DIR}/shell_files)
install(CODE "
  file(MAKE_DIRECTORY \"${shell_files}\")
  foreach(page \"manual@wattloop.1\" \"completion bash@wattloop\" \"completion zsh@_wattloop\" \"completion fish@wattloop.fish\")
    string(REPLACE \"@\" \";\" page \"\${page}\")
    list(GET page 0 words)
    list(GET page 1 file)
    separate_arguments(words)
    execute_process(COMMAND \"$<TARGET_FILE:wattloop>\" \${words} OUTPUT_FILE \"${shell_files}/\${file}\" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  # A file that zsh loads at the first key is not one that ~/.zshrc evaluates: it says whom it completes, and completes.
  file(READ \"${shell_files}/_wattloop\" zsh)
  string(REGEX REPLACE \"autoload[^\n]*compinit && compinit\n\" \"\" zsh \"\${zsh}\")
  file(WRITE \"${shell_files}/_wattloop\" \"#compdef wattloop\n\${zsh}_bash_complete -o filenames -F _wattloop\n\")
  execute_process(COMMAND gzip -9nf \"${shell_files}/wattloop.1\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${shell_files}/wattloop.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${shell_files}/wattloop DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${shell_files}/_wattloop DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${shell_files}/wattloop.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(FILES README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES .reuse/dep5 DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
foreach(component "library@libwattloop0" "development@libwattloop-dev" "python@python3-wattloop")
  string(REPLACE "@" ";" component ${component})
  list(GET component 0 name)
  list(GET component 1 debian)
  install(FILES .reuse/dep5 DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${debian} RENAME copyright COMPONENT ${name})
endforeach()
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(WATTLOOP_DYGRAPHS AND EXISTS /usr/share/doc/libjs-dygraphs/copyright)   # its licence asks to go with its text, which the program holds
  install(FILES /usr/share/doc/libjs-dygraphs/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright.dygraphs)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME wattloop)
set(CPACK_PACKAGE_CONTACT "Wattloop maintainers <maintainers@wattloop.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL program library development)
if(TARGET wattloop_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)

# `depends`: beside the libraries, which dpkg-shlibdeps finds.
function(wattloop_debian component name section depends summary)
  string(TOUPPER ${component} upper)
  set(text "${summary}\nWattloop simulates power and cooling of a data center that trains on GPUs:
scenarios in YAML with a library of hardware, events and failures, results
in HDF5, pictures, reports and studies of many runs.")
  foreach(setting "DEBIAN_${upper}_PACKAGE_NAME@${name}" "DEBIAN_${upper}_PACKAGE_SECTION@${section}" "DEBIAN_${upper}_PACKAGE_SHLIBDEPS@ON"
      "DEBIAN_${upper}_PACKAGE_DEPENDS@${depends}" "COMPONENT_${upper}_DESCRIPTION@${text}")
    string(FIND "${setting}" @ place)
    string(SUBSTRING "${setting}" 0 ${place} key)
    math(EXPR place "${place} + 1")
    string(SUBSTRING "${setting}" ${place} -1 value)
    set(CPACK_${key} "${value}" PARENT_SCOPE)
  endforeach()
endfunction()
set(same "(= ${PROJECT_VERSION})")
wattloop_debian(program wattloop science "libwattloop0 ${same}, xvfb, libgl1-mesa-dri"   # pictures are drawn without a screen
  "digital twin of a GPU training hall, from the utility feed to the sky")
wattloop_debian(library libwattloop0 libs "" "digital twin of a GPU training hall: library and hardware data")
wattloop_debian(development libwattloop-dev libdevel "libwattloop0 ${same}" "digital twin of a GPU training hall: headers for C++")
wattloop_debian(python python3-wattloop python "libwattloop0 ${same}, python3, python3-numpy" "digital twin of a GPU training hall: Python")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-pandas, python3-xarray, python3-h5netcdf, python3-h5py")
include(CPack)
