// The writing side of hdf5_file: the recipe by which netCDF-4 readers find everything without a warning.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/text/problem.hpp"
#include "twin/results/hdf5/hdf5_file_calls.hpp"

namespace wattloop::twin {

namespace {

constexpr unsigned creation_order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
constexpr int deflate_level = 1;
constexpr unsigned usual_name_length = 24;
constexpr unsigned most_links_in_head = 1024;

Hdf5Handle open_new_file(const std::filesystem::path& file, bool has_locks) {
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_link_creation_order(creation.id(), creation_order);
  H5Pset_attr_creation_order(creation.id(), creation_order);
  H5Pset_obj_track_times(creation.id(), false);
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  if (!has_locks) H5Pset_file_locking(access.id(), false, true);
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18);  // heads without padding, read since 2008
  return Hdf5Handle(checked(H5Fcreate(file.c_str(), H5F_ACC_EXCL, creation.id(), access.id()), "write", file));
}

/// An empty text needs a null dataspace: a string of length 0 does not exist.
void write_text_attribute(hid_t object, const std::string& name, std::string_view text,
                          const std::filesystem::path& file) {
  const Hdf5Handle type = text_type(std::max<std::size_t>(text.size(), 1));
  const Hdf5Handle space(H5Screate(text.empty() ? H5S_NULL : H5S_SCALAR));
  const Hdf5Handle attribute(
      checked(H5Acreate2(object, name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), "write", file));
  if (!text.empty()) checked(H5Awrite(attribute.id(), type.id(), text.data()), "write", file);
}

/// A `_FillValue` of NaN, which readers take for "not recorded".
template <class Number>
void write_fill_attribute(hid_t object, hid_t in_memory, hid_t in_file, const std::filesystem::path& file) {
  const Number fill = std::numeric_limits<Number>::quiet_NaN();
  const hsize_t one = 1;
  const Hdf5Handle space(H5Screate_simple(1, &one, nullptr));
  const Hdf5Handle attribute(
      checked(H5Acreate2(object, "_FillValue", in_file, space.id(), H5P_DEFAULT, H5P_DEFAULT), "write", file));
  checked(H5Awrite(attribute.id(), in_memory, &fill), "write", file);
}

bool is_coordinate(const Hdf5Variable& variable) {
  return variable.dimensions.size() == 1 && variable.dimensions.front().name == variable.name;
}

bool has_fill(const Hdf5Variable& variable) {
  const bool real = variable.type == Hdf5Type::float32 || variable.type == Hdf5Type::float64;
  return real && !variable.dimensions.empty() && !is_coordinate(variable);
}

Hdf5Handle dataset_creation(const Hdf5Variable& variable) {
  Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(creation.id(), false);  // same data, same bytes
  if (variable.dimensions.empty()) {             // a figure: no longer than it need be
    H5Pset_layout(creation.id(), H5D_COMPACT);
    H5Pset_dset_no_attrs_hint(creation.id(), true);  // no space left free for them
    return creation;
  }
  H5Pset_attr_creation_order(creation.id(), creation_order);
  if (has_fill(variable)) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    H5Pset_fill_value(creation.id(), H5T_NATIVE_DOUBLE, &nan);
  }
  if (!variable.chunk.empty()) {
    const std::vector<hsize_t> chunk(variable.chunk.begin(), variable.chunk.end());
    H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data());
    if (variable.type != Hdf5Type::text) {
      H5Pset_shuffle(creation.id());
      H5Pset_deflate(creation.id(), static_cast<unsigned>(deflate_level));
    }
  }
  return creation;
}

/// Series, which are most of a file.
bool are_chunks_compressed_here(const Hdf5Variable& variable) {
  return variable.type == Hdf5Type::float32 && (variable.chunk.size() == 1 || variable.chunk.size() == 2);
}

Hdf5Handle dataspace(const std::vector<Hdf5Dimension>& dimensions) {
  if (dimensions.empty()) return Hdf5Handle(H5Screate(H5S_SCALAR));
  std::vector<hsize_t> size, limit;
  for (const Hdf5Dimension& dimension : dimensions) {
    size.push_back(dimension.size);
    limit.push_back(dimension.unlimited ? H5S_UNLIMITED : dimension.size);
  }
  return Hdf5Handle(H5Screate_simple(static_cast<int>(size.size()), size.data(), limit.data()));
}

}  // namespace

Hdf5Writer::Hdf5Writer(std::filesystem::path file, bool has_locks)
    : file_(std::move(file)), compressor_(deflate_level) {
  const Hdf5Lock lock;
  handle_ = open_new_file(file_, has_locks);
}

Hdf5Writer::~Hdf5Writer() = default;

void Hdf5Writer::set_attribute(std::string_view name, std::string_view text) {
  const Hdf5Lock lock;
  write_text_attribute(handle_.id(), std::string(name), text, file_);
}

void Hdf5Writer::set_attribute(std::string_view name, std::int32_t number) {
  const Hdf5Lock lock;
  const Hdf5Handle space(H5Screate(H5S_SCALAR));
  const Hdf5Handle attribute(
      checked(H5Acreate2(handle_.id(), std::string(name).c_str(), H5T_STD_I32LE, space.id(), H5P_DEFAULT, H5P_DEFAULT),
              "write", file_));
  checked(H5Awrite(attribute.id(), H5T_NATIVE_INT32, &number), "write", file_);
}

void Hdf5Writer::add_group(const std::string& name, std::size_t variables) {
  const Hdf5Lock lock;
  group(name, variables);
}

const Hdf5Handle& Hdf5Writer::group(const std::string& name, std::size_t expected_variables) {
  if (const auto found = groups_.find(name); found != groups_.end()) return found->second;
  if (name.empty())
    return groups_.emplace(name, checked(H5Gopen2(handle_.id(), "/", H5P_DEFAULT), "read", file_)).first->second;
  const Hdf5Handle creation(H5Pcreate(H5P_GROUP_CREATE));
  H5Pset_link_creation_order(creation.id(), creation_order);
  H5Pset_attr_creation_order(creation.id(), creation_order);
  H5Pset_obj_track_times(creation.id(), false);
  if (expected_variables > 0) {
    const auto expected = static_cast<unsigned>(std::min<std::size_t>(expected_variables, most_links_in_head));
    H5Pset_link_phase_change(creation.id(), most_links_in_head, most_links_in_head);
    H5Pset_est_link_info(creation.id(), expected, usual_name_length);
  }
  Hdf5Handle made(
      checked(H5Gcreate2(handle_.id(), name.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), "write", file_));
  return groups_.emplace(name, std::move(made)).first->second;
}

/// The scale of a dimension; one without coordinate values becomes an empty dataset whose name says so to
/// netCDF.
const Hdf5Handle& Hdf5Writer::scale(const std::string& group_name, const Hdf5Dimension& dimension) {
  const std::string path = group_name + "/" + dimension.name;
  if (const auto found = scales_.find(path); found != scales_.end()) return found->second;
  Hdf5Variable empty{.group = group_name, .name = dimension.name, .dimensions = {dimension}};
  if (dimension.unlimited) empty.chunk = {1024};
  const Hdf5Handle space = dataspace(empty.dimensions);
  const Hdf5Handle creation = dataset_creation(empty);
  Hdf5Handle made(checked(H5Dcreate2(group(group_name).id(), dimension.name.c_str(), H5T_IEEE_F32BE, space.id(),
                                     H5P_DEFAULT, creation.id(), H5P_DEFAULT),
                          "write", file_));
  const std::string mark = fmt::format("{} {:10}", empty_scale_mark, dimension.size);
  checked(H5DSset_scale(made.id(), mark.c_str()), "write", file_);
  return scales_.emplace(path, std::move(made)).first->second;
}

void Hdf5Writer::link_dimensions(const Hdf5Variable& variable, Dataset& dataset) {
  if (is_coordinate(variable)) {
    checked(H5DSset_scale(dataset.handle.id(), variable.name.c_str()), "write", file_);
    H5Iinc_ref(dataset.handle.id());
    scales_.emplace(dataset.path, Hdf5Handle(dataset.handle.id()));
    return;
  }
  for (unsigned axis = 0; axis < variable.dimensions.size(); ++axis) {
    const Hdf5Handle& axis_scale = scale(variable.group, variable.dimensions[axis]);
    checked(H5DSattach_scale(dataset.handle.id(), axis_scale.id(), axis), "write", file_);
  }
}

std::size_t Hdf5Writer::add(const Hdf5Variable& variable) {
  const Hdf5Lock lock;
  const bool is_characters = variable.type == Hdf5Type::characters;
  const Hdf5Handle text = is_characters ? character_type() : text_type(H5T_VARIABLE);
  const bool is_text = is_characters || variable.type == Hdf5Type::text;
  const hid_t type = is_text ? text.id() : file_type(variable.type);
  const Hdf5Handle space = dataspace(variable.dimensions);
  const Hdf5Handle creation = dataset_creation(variable);
  Dataset dataset{.path = variable.group + "/" + variable.name,
                  .handle = Hdf5Handle(checked(H5Dcreate2(group(variable.group).id(), variable.name.c_str(), type,
                                                          space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
                                               "write", file_)),
                  .shape = {},
                  .chunk = are_chunks_compressed_here(variable) ? variable.chunk : std::vector<std::size_t>{},
                  .is_characters = is_characters};
  for (const Hdf5Dimension& dimension : variable.dimensions) dataset.shape.push_back(dimension.size);
  for (const auto& [name, value] : variable.attributes) {
    if (!value.empty()) write_text_attribute(dataset.handle.id(), name, value, file_);
  }
  if (has_fill(variable) && variable.type == Hdf5Type::float32) {
    write_fill_attribute<float>(dataset.handle.id(), H5T_NATIVE_FLOAT, type, file_);
  } else if (has_fill(variable)) {
    write_fill_attribute<double>(dataset.handle.id(), H5T_NATIVE_DOUBLE, type, file_);
  }
  link_dimensions(variable, dataset);
  datasets_.push_back(std::move(dataset));
  return datasets_.size() - 1;
}

void Hdf5Writer::write_numbers(const Dataset& dataset, std::int64_t memory_type_id, std::size_t first_row,
                               std::size_t rows, const void* values) {
  if (dataset.shape.empty()) {
    checked(H5Dwrite(dataset.handle.id(), memory_type_id, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write", file_);
    return;
  }
  constexpr std::size_t most_axes = 4;
  std::array<hsize_t, most_axes> start{first_row}, count{rows};
  std::copy(dataset.shape.begin() + 1, dataset.shape.end(), count.begin() + 1);
  const int axes = static_cast<int>(dataset.shape.size());
  const Hdf5Handle in_memory(H5Screate_simple(axes, count.data(), nullptr));
  const Hdf5Handle in_file(H5Dget_space(dataset.handle.id()));
  checked(H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), "write",
          file_);
  checked(H5Dwrite(dataset.handle.id(), memory_type_id, in_memory.id(), in_file.id(), H5P_DEFAULT, values), "write",
          file_);
}

/// Rows of which a chunk is the first, as one chunk beside the other; what chunks lack below and beside them is filled with what stands
/// for nothing.
void Hdf5Writer::write_chunks(const Dataset& dataset, std::size_t first_row, std::span<const float> values) {
  const std::size_t columns = dataset.chunk.size() == 1 ? 1 : dataset.shape[1];
  const std::size_t rows = values.size() / columns, height = dataset.chunk[0];
  const std::size_t width = dataset.chunk.size() == 1 ? 1 : dataset.chunk[1];
  for (std::size_t first = 0; first < columns; first += width) {
    std::span<const float> chunk = values;
    if (width != columns || rows != height) {
      chunk_values_.assign(height * width, std::numeric_limits<float>::quiet_NaN());
      for (std::size_t row = 0; row < rows; ++row) {
        std::ranges::copy(values.subspan(row * columns + first, std::min(width, columns - first)),
                          chunk_values_.begin() + static_cast<std::ptrdiff_t>(row * width));
      }
      chunk = chunk_values_;
    }
    const std::span<const std::uint8_t> bytes = compressor_.compress(chunk);
    const std::array<hsize_t, 2> start{first_row, first};
    checked(H5Dwrite_chunk(dataset.handle.id(), H5P_DEFAULT, 0, start.data(), bytes.size(), bytes.data()), "write",
            file_);
  }
}

/// Characters are filled up with zero bytes.
void Hdf5Writer::write_texts(const Dataset& dataset, std::size_t first_row, std::span<const std::string> texts) {
  if (dataset.is_characters) {
    const std::size_t width = dataset.shape.at(1);
    std::string characters(texts.size() * width, '\0');
    for (std::size_t k = 0; k < texts.size(); ++k) texts[k].copy(characters.data() + k * width, width);
    write_numbers(dataset, character_type().id(), first_row, texts.size(), characters.data());
    return;
  }
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  write_numbers(dataset, text_type(H5T_VARIABLE).id(), first_row, texts.size(), pointers.data());
}

void Hdf5Writer::write(std::size_t variable, std::size_t first_row, const Hdf5Values& values) {
  const Hdf5Lock lock;
  Dataset& dataset = datasets_.at(variable);
  const std::size_t size = std::visit([](const auto& span) { return span.size(); }, values);
  if (size == 0) return;
  std::size_t row_size = 1;
  for (std::size_t axis = 1; axis < dataset.shape.size(); ++axis) row_size *= dataset.shape[axis];
  const std::size_t rows = dataset.is_characters ? size : size / row_size;
  if (!dataset.shape.empty() && first_row + rows > dataset.shape.front()) {
    dataset.shape.front() = first_row + rows;
    std::array<hsize_t, 4> extent{};
    std::copy(dataset.shape.begin(), dataset.shape.end(), extent.begin());
    checked(H5Dset_extent(dataset.handle.id(), extent.data()), "write", file_);
  }
  if (const auto* texts = std::get_if<std::span<const std::string>>(&values)) {
    write_texts(dataset, first_row, *texts);
    return;
  }
  const auto* series = std::get_if<std::span<const float>>(&values);
  const bool begins_chunk = !dataset.chunk.empty() && rows <= dataset.chunk[0] && first_row % dataset.chunk[0] == 0;
  if (series != nullptr && begins_chunk) {
    write_chunks(dataset, first_row, *series);
    return;
  }
  constexpr std::array types{Hdf5Type::float32, Hdf5Type::float64, Hdf5Type::int32, Hdf5Type::int64};
  const void* data = std::visit([](const auto& span) { return static_cast<const void*>(span.data()); }, values);
  write_numbers(dataset, memory_type(types.at(values.index())), first_row, rows, data);
}

void Hdf5Writer::close() {
  const Hdf5Lock lock;
  if (handle_.id() < 0) return;
  datasets_.clear();
  scales_.clear();
  groups_.clear();
  const herr_t flushed = H5Fflush(handle_.id(), H5F_SCOPE_LOCAL);
  const std::string reason = flushed < 0 ? hdf5_error_text() : "";
  { const Hdf5Handle closing = std::move(handle_); }
  if (flushed < 0) throw FileError(fmt::format("cannot write {}: {}", file_.string(), reason));
}

}  // namespace wattloop::twin
