#include "twin/results/schema/item_labels.hpp"

#include <cstdint>
#include <vector>

namespace wattloop::twin {

void write_texts(Hdf5Writer& file, const std::string& group, const std::string& name, const std::string& long_name,
                 const Hdf5Dimension& item, std::span<const std::string> texts) {
  Hdf5Variable variable = text_variable(group, name, item, texts);
  variable.attributes.emplace_back("long_name", long_name);
  file.write(file.add(variable), 0, texts);
}

void write_labels(Hdf5Writer& file, const std::string& group, const Hdf5Dimension& item, const ItemLabels& labels) {
  if (labels.numbers.empty()) {
    write_texts(file, group, labels.name, labels.long_name, item, labels.texts);
    return;
  }
  const bool is_count = labels.unit.empty();
  const std::size_t variable =
      file.add({.group = group,
                .name = labels.name,
                .type = is_count ? Hdf5Type::int32 : Hdf5Type::float64,
                .dimensions = {item},
                .attributes = {{"units", is_count ? "1" : labels.unit}, {"long_name", labels.long_name}},
                .chunk = chunk_of_columns({item})});
  if (is_count) {
    const std::vector<std::int32_t> counts(labels.numbers.begin(), labels.numbers.end());
    file.write(variable, 0, std::span<const std::int32_t>(counts));
  } else {
    file.write(variable, 0, std::span<const double>(labels.numbers));
  }
}

}  // namespace wattloop::twin
