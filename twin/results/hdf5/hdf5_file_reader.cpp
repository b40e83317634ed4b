// The reading side of hdf5_file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <type_traits>

#include "core/text/problem.hpp"
#include "twin/results/hdf5/hdf5_file_calls.hpp"
#include "twin/results/hdf5/results_seal.hpp"

namespace wattloop::twin {

namespace {

Hdf5Handle open_existing_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    throw FileError(fmt::format("cannot read {}: no such file", file.string()));
  }
  if (std::filesystem::is_directory(file, ignored)) {
    throw FileError(fmt::format("cannot read {}: it is a folder", file.string()));
  }
  if (!std::filesystem::is_regular_file(file, ignored)) {
    throw FileError(fmt::format("cannot read {}: it is a device or a pipe", file.string()));
  }
  if (H5Fis_hdf5(file.c_str()) == 0) {
    throw FileError(fmt::format("cannot read {}: not an HDF5 file", file.string()));
  }
  demand_seal(file);  // before anything of the file is believed
  errno = 0;
  hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0 && errno == ENOLCK) {  // a file system without locks, which HDF5 takes for a failure
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_file_locking(access.id(), false, true);
    id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, access.id());
  }
  return Hdf5Handle(checked(id, "read", file));
}

std::vector<hsize_t> extent(hid_t dataset) {
  const Hdf5Handle space(H5Dget_space(dataset));
  std::vector<hsize_t> size(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.id()), 0)));
  H5Sget_simple_extent_dims(space.id(), size.data(), nullptr);
  return size;
}

Hdf5Type stored_type(hid_t dataset) {
  const Hdf5Handle type(H5Dget_type(dataset));
  const bool wide = H5Tget_size(type.id()) > 4;
  switch (H5Tget_class(type.id())) {
    case H5T_STRING:
      return Hdf5Type::text;
    case H5T_FLOAT:
      return wide ? Hdf5Type::float64 : Hdf5Type::float32;
    default:
      return wide ? Hdf5Type::int64 : Hdf5Type::int32;
  }
}

/// Texts over (item, character), see Hdf5Type.
bool is_of_characters(hid_t dataset) {
  const Hdf5Handle type(H5Dget_type(dataset));
  return H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) == 0 && H5Tget_size(type.id()) == 1;
}

std::vector<std::string> texts_of_width(const std::string& characters, std::size_t width) {
  std::vector<std::string> texts;
  for (std::size_t first = 0; first < characters.size(); first += width)
    texts.emplace_back(characters.substr(first, width).c_str());  // up to the zeros that fill it
  return texts;
}

bool is_chunked(hid_t dataset) {
  const Hdf5Handle made_with(H5Dget_create_plist(dataset));
  return H5Pget_layout(made_with.id()) == H5D_CHUNKED;
}

/// A block of characters over (item, character). Columns have chunks of their own: the library would put a whole block together byte by byte, a
/// column it copies.
std::string characters_by_column(hid_t dataset, const Hdf5Block& block, const std::filesystem::path& file) {
  const std::size_t items = block.count[0], width = block.count[1];
  std::string characters(items * width, '\0'), column(items, '\0');
  const Hdf5Handle in_file(H5Dget_space(dataset));
  const std::array<hsize_t, 2> count{items, 1};
  const Hdf5Handle in_memory(H5Screate_simple(1, count.data(), nullptr));
  for (std::size_t place = 0; place < width; ++place) {
    const std::array<hsize_t, 2> start{block.start[0], block.start[1] + place};
    checked(H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), "read",
            file);
    checked(H5Dread(dataset, character_type().id(), in_memory.id(), in_file.id(), H5P_DEFAULT, column.data()), "read",
            file);
    for (std::size_t item = 0; item < items; ++item) characters[item * width + place] = column[item];
  }
  return characters;
}

/// Text of a fixed-length attribute; empty where it holds something else.
std::string attribute_text(hid_t attribute) {
  const Hdf5Handle type(H5Aget_type(attribute));
  const Hdf5Handle space(H5Aget_space(attribute));
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) > 0) return {};
  if (H5Sget_simple_extent_type(space.id()) != H5S_SCALAR) return {};
  std::string text(H5Tget_size(type.id()), '\0');
  if (H5Aread(attribute, type.id(), text.data()) < 0) return {};
  return text.substr(0, text.find('\0'));
}

herr_t add_text_attribute(hid_t object, const char* name, const H5A_info_t*, void* target) {
  using Attributes = std::vector<std::pair<std::string, std::string>>;
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT));
  std::string text = attribute_text(attribute.id());
  if (text.empty() || std::string_view(name) == "CLASS" || std::string_view(name) == "NAME") return 0;
  static_cast<Attributes*>(target)->emplace_back(name, std::move(text));
  return 0;
}

/// A link of a group, and where in the file it leads.
struct NamedAddress {
  std::string name{};
  haddr_t address = HADDR_UNDEF;
};

herr_t add_link(hid_t, const char* name, const H5L_info_t* link, void* target) {
  const haddr_t address = link->type == H5L_TYPE_HARD ? link->u.address : HADDR_UNDEF;
  static_cast<std::vector<NamedAddress>*>(target)->push_back({name, address});
  return 0;
}

/// In the order of creation, or alphabetically in files that do not keep it.
std::vector<NamedAddress> links_in(hid_t group) {
  std::vector<NamedAddress> links;
  if (H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, add_link, &links) < 0) {
    links.clear();
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_link, &links);
  }
  return links;
}

/// For the scale of an axis: names of the group of the dataset, by address, because the library finds a name
/// by a walk through the whole file.
struct ScaleName {
  const std::map<haddr_t, std::string>& by_address;
  std::string name{};
};

herr_t keep_scale_name(hid_t, unsigned, hid_t scale, void* target) {
  ScaleName& found = *static_cast<ScaleName*>(target);
  H5O_info_t object{};
  if (H5Oget_info2(scale, &object, H5O_INFO_BASIC) >= 0) {
    if (const auto known = found.by_address.find(object.addr); known != found.by_address.end()) {
      found.name = known->second;
      return 1;
    }
  }
  const ssize_t length = H5Iget_name(scale, nullptr, 0);  // of another group
  std::string path(static_cast<std::size_t>(std::max<ssize_t>(length, 0)), '\0');
  H5Iget_name(scale, path.data(), path.size() + 1);
  found.name = path.substr(path.rfind('/') + 1);
  return 1;
}

std::map<haddr_t, std::string> names_by_address(const std::vector<NamedAddress>& links) {
  std::map<haddr_t, std::string> names;
  for (const NamedAddress& link : links) {
    if (link.address != HADDR_UNDEF) names.emplace(link.address, link.name);
  }
  return names;
}

bool is_empty_scale(hid_t dataset) {
  if (H5DSis_scale(dataset) <= 0) return false;
  std::string name(256, '\0');
  const ssize_t length = H5DSget_scale_name(dataset, name.data(), name.size());
  return length > 0 && name.starts_with(empty_scale_mark);
}

std::vector<std::size_t> shape_of(hid_t dataset) {
  const std::vector<hsize_t> size = extent(dataset);
  return {size.begin(), size.end()};
}

Hdf5Info dataset_info(hid_t dataset, std::string name, const std::map<haddr_t, std::string>& names) {
  Hdf5Info info{.name = std::move(name), .type = stored_type(dataset)};
  info.shape = shape_of(dataset);
  info.is_coordinate = H5DSis_scale(dataset) > 0;
  for (unsigned axis = 0; axis < info.shape.size(); ++axis) {
    ScaleName scale{.by_address = names, .name = info.is_coordinate ? info.name : ""};
    if (!info.is_coordinate) H5DSiterate_scales(dataset, axis, nullptr, keep_scale_name, &scale);
    info.dimensions.push_back(std::move(scale.name));
  }
  H5Aiterate2(dataset, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_text_attribute, &info.attributes);
  return info;
}

}  // namespace

std::string Hdf5Info::attribute(std::string_view key) const {
  const auto found =
      std::find_if(attributes.begin(), attributes.end(), [&](const auto& attribute) { return attribute.first == key; });
  return found == attributes.end() ? std::string{} : found->second;
}

Hdf5Reader::Hdf5Reader(std::filesystem::path file) : file_(std::move(file)) {
  const Hdf5Lock lock;
  handle_ = open_existing_file(file_);
}

Hdf5Reader::~Hdf5Reader() = default;

std::string Hdf5Reader::text_attribute(std::string_view name) const {
  const Hdf5Lock lock;
  if (H5Aexists(handle_.id(), std::string(name).c_str()) <= 0) return {};
  const Hdf5Handle attribute(H5Aopen(handle_.id(), std::string(name).c_str(), H5P_DEFAULT));
  return attribute_text(attribute.id());
}

int Hdf5Reader::number_attribute(std::string_view name) const {
  const Hdf5Lock lock;
  if (H5Aexists(handle_.id(), std::string(name).c_str()) <= 0) return -1;
  const Hdf5Handle attribute(H5Aopen(handle_.id(), std::string(name).c_str(), H5P_DEFAULT));
  int value = -1;
  H5Aread(attribute.id(), H5T_NATIVE_INT, &value);
  return value;
}

std::vector<std::string> Hdf5Reader::groups() const {
  const Hdf5Lock lock;
  const Hdf5Handle root(checked(H5Gopen2(handle_.id(), "/", H5P_DEFAULT), "read", file_));
  std::vector<std::string> names;
  for (NamedAddress& link : links_in(root.id())) names.push_back(std::move(link.name));
  return names;
}

std::vector<Hdf5Info> Hdf5Reader::variables(std::string_view group) const {
  const Hdf5Lock lock;
  const Hdf5Handle opened(checked(H5Gopen2(handle_.id(), std::string(group).c_str(), H5P_DEFAULT), "read", file_));
  std::vector<Hdf5Info> variables;
  const std::vector<NamedAddress> links = links_in(opened.id());
  const std::map<haddr_t, std::string> names = names_by_address(links);
  for (const NamedAddress& link : links) {
    const Hdf5Handle dataset(checked(H5Oopen(opened.id(), link.name.c_str(), H5P_DEFAULT), "read", file_));
    if (H5Iget_type(dataset.id()) != H5I_DATASET) continue;  // a group in it
    if (!is_empty_scale(dataset.id())) variables.push_back(dataset_info(dataset.id(), link.name, names));
  }
  return variables;
}

bool Hdf5Reader::has(std::string_view path) const {
  const Hdf5Lock lock;
  for (std::size_t end = path.find('/'); end != std::string_view::npos; end = path.find('/', end + 1)) {
    const std::string part(path.substr(0, end));
    if (!part.empty() && H5Lexists(handle_.id(), part.c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return H5Lexists(handle_.id(), std::string(path).c_str(), H5P_DEFAULT) > 0;
}

Hdf5Handle Hdf5Reader::open_dataset(std::string_view path) const {
  const hid_t id = has(path) ? H5Dopen2(handle_.id(), std::string(path).c_str(), H5P_DEFAULT) : H5I_INVALID_HID;
  if (id < 0) throw FileError(fmt::format("cannot read {}: there is no dataset '{}'", file_.string(), path));
  return Hdf5Handle(id);
}

std::vector<std::size_t> Hdf5Reader::shape(std::string_view path) const {
  const Hdf5Lock lock;
  return shape_of(open_dataset(path).id());
}

Hdf5Type Hdf5Reader::type(std::string_view path) const {
  const Hdf5Lock lock;
  return stored_type(open_dataset(path).id());
}

namespace {

/// `path`: of the dataset, for messages.
template <class T>
std::vector<T> read_block(const Hdf5Handle& dataset, std::string_view path, const Hdf5Block& block,
                          const std::filesystem::path& file) {
  const std::vector<hsize_t> start(block.start.begin(), block.start.end());
  const std::vector<hsize_t> count(block.count.begin(), block.count.end());
  std::size_t size = 1;
  for (const std::size_t length : block.count) size *= length;
  if (size == 0) return {};
  const Hdf5Handle in_file(H5Dget_space(dataset.id()));
  if (!start.empty()) {
    checked(H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), "read",
            file);
  }
  const hsize_t flat = size;
  const Hdf5Handle in_memory(start.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &flat, nullptr));
  if constexpr (std::is_same_v<T, std::string>) {
    if (is_of_characters(dataset.id())) {
      if (block.count.size() != 2) throw FileError(fmt::format("cannot read {}: '{}' is no text", file.string(), path));
      if (is_chunked(dataset.id()))
        return texts_of_width(characters_by_column(dataset.id(), block, file), block.count[1]);
      std::string characters(size, '\0');
      checked(
          H5Dread(dataset.id(), character_type().id(), in_memory.id(), in_file.id(), H5P_DEFAULT, characters.data()),
          "read", file);
      return texts_of_width(characters, block.count[1]);
    }
    const Hdf5Handle type = text_type(H5T_VARIABLE);
    std::vector<char*> pointers(size, nullptr);
    checked(H5Dread(dataset.id(), type.id(), in_memory.id(), in_file.id(), H5P_DEFAULT, pointers.data()), "read", file);
    std::vector<std::string> texts;
    for (const char* pointer : pointers) texts.emplace_back(pointer == nullptr ? "" : pointer);
    H5Dvlen_reclaim(type.id(), in_memory.id(), H5P_DEFAULT, pointers.data());
    return texts;
  } else {
    constexpr Hdf5Type type = std::is_same_v<T, float>          ? Hdf5Type::float32
                              : std::is_same_v<T, double>       ? Hdf5Type::float64
                              : std::is_same_v<T, std::int32_t> ? Hdf5Type::int32
                                                                : Hdf5Type::int64;
    std::vector<T> numbers(size);
    checked(H5Dread(dataset.id(), memory_type(type), in_memory.id(), in_file.id(), H5P_DEFAULT, numbers.data()), "read",
            file);
    return numbers;
  }
}

}  // namespace

std::string Hdf5Reader::attribute(std::string_view path, std::string_view name) const {
  const Hdf5Lock lock;
  const Hdf5Handle dataset = open_dataset(path);
  if (H5Aexists(dataset.id(), std::string(name).c_str()) <= 0) return {};
  const Hdf5Handle attribute(H5Aopen(dataset.id(), std::string(name).c_str(), H5P_DEFAULT));
  return attribute_text(attribute.id());
}

template <class T>
std::vector<T> Hdf5Reader::read(std::string_view path) const {
  const Hdf5Lock lock;
  const Hdf5Handle dataset = open_dataset(path);
  const std::vector<std::size_t> size = shape_of(dataset.id());
  return read_block<T>(dataset, path, {std::vector<std::size_t>(size.size(), 0), size}, file_);
}

template <class T>
std::vector<T> Hdf5Reader::read(std::string_view path, const Hdf5Block& block) const {
  const Hdf5Lock lock;
  return read_block<T>(open_dataset(path), path, block, file_);
}

template std::vector<float> Hdf5Reader::read(std::string_view) const;
template std::vector<double> Hdf5Reader::read(std::string_view) const;
template std::vector<std::int32_t> Hdf5Reader::read(std::string_view) const;
template std::vector<std::int64_t> Hdf5Reader::read(std::string_view) const;
template std::vector<std::string> Hdf5Reader::read(std::string_view) const;
template std::vector<float> Hdf5Reader::read(std::string_view, const Hdf5Block&) const;
template std::vector<double> Hdf5Reader::read(std::string_view, const Hdf5Block&) const;
template std::vector<std::int32_t> Hdf5Reader::read(std::string_view, const Hdf5Block&) const;
template std::vector<std::int64_t> Hdf5Reader::read(std::string_view, const Hdf5Block&) const;
template std::vector<std::string> Hdf5Reader::read(std::string_view, const Hdf5Block&) const;

}  // namespace wattloop::twin
