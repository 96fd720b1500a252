# find_package(gpuzoo) gives the targets gpuzoo::gpuzoo (shared) and gpuzoo::static.
get_filename_component(GPUZOO_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET gpuzoo::gpuzoo)
    add_library(gpuzoo::gpuzoo SHARED IMPORTED)
    set_target_properties(gpuzoo::gpuzoo PROPERTIES
        IMPORTED_LOCATION "${GPUZOO_PREFIX}/lib/@SHARED@"
        IMPORTED_SONAME "@SONAME@"
        INTERFACE_INCLUDE_DIRECTORIES "${GPUZOO_PREFIX}/include")
    add_library(gpuzoo::static STATIC IMPORTED)
    set_target_properties(gpuzoo::static PROPERTIES
        IMPORTED_LOCATION "${GPUZOO_PREFIX}/lib/@STATIC@"
        INTERFACE_INCLUDE_DIRECTORIES "${GPUZOO_PREFIX}/include"
        INTERFACE_LINK_LIBRARIES "@LIBRARIES@")
endif()
