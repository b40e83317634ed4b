// Texts and numbers that say what the items of a group are: coordinates beside their names.
#pragma once

#include <span>
#include <string>

#include "twin/results/hdf5/hdf5_file.hpp"
#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

/// As characters, which are compressed.
void write_texts(Hdf5Writer& file, const std::string& group, const std::string& name, const std::string& long_name,
                 const Hdf5Dimension& item, std::span<const std::string> texts);

void write_labels(Hdf5Writer& file, const std::string& group, const Hdf5Dimension& item, const ItemLabels& labels);

}  // namespace wattloop::twin
