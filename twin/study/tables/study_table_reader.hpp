// The table of a study from its HDF5 file.
#pragma once

#include <filesystem>
#include <optional>

#include "twin/study/tables/study_table.hpp"

namespace wattloop::twin {

/// Whether an HDF5 file is the table of a study.
bool is_study_table(const std::filesystem::path& file);

/// The table of a study where `given` is one or the folder of one, nothing where it is another file. Throws FileError for other folders.
std::optional<std::filesystem::path> study_table_file(const std::filesystem::path& given);

/// What `write_hdf5` wrote. Throws FileError, also for files of versions that did not keep roles and places of columns.
StudyTable read_study_table(const std::filesystem::path& file);

}  // namespace wattloop::twin
