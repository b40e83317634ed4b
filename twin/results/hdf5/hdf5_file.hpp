// HDF5 files that follow the conventions of netCDF-4, so that xarray, ncdump, h5py and pandas read them as
// they are: groups of variables over named dimensions, a scale on every axis, UTF-8 text, units and long
// names.
//
// The file library is seen by hdf5_file*.cpp alone. It has one lock for the whole process, so that several
// runs may write at once; failures are FileErrors that name the file and quote the operating system where it
// spoke.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "twin/results/hdf5/chunk_compression.hpp"

namespace wattloop::twin {

/// Owns one identifier of the library, of any kind.
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  explicit Hdf5Handle(std::int64_t id) : id_(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hdf5Handle();

  std::int64_t id() const { return id_; }

 private:
  std::int64_t id_ = -1;
};

/// Characters are texts over (item, character), as netCDF has them: unlike those of variable length they can be compressed. They are
/// read as `text`.
enum class Hdf5Type { float32, float64, int32, int64, text, characters };

struct Hdf5Dimension {
  std::string name;
  std::size_t size = 0;    ///< to begin with, where unlimited
  bool unlimited = false;  ///< first dimension only; grows as rows are written
};

/// A dataset to be made. One that bears the name of its only dimension becomes that dimension's coordinate;
/// dimensions without one get an empty scale.
struct Hdf5Variable {
  std::string group{}, name{};
  Hdf5Type type = Hdf5Type::float64;
  std::vector<Hdf5Dimension> dimensions{};                        ///< none: a scalar
  std::vector<std::pair<std::string, std::string>> attributes{};  ///< texts; empty ones are left out
  std::vector<std::size_t> chunk{};                               ///< empty: contiguous; else compressed unless text
};

/// Of few values none; of many one chunk for each entry of the later axes, in which neighbours are alike. For what is written once.
std::vector<std::size_t> chunk_of_columns(const std::vector<Hdf5Dimension>& dimensions);

/// A variable of characters over items, as many as its longest text needs; the second dimension is called NAME_length.
Hdf5Variable text_variable(std::string group, std::string name, const Hdf5Dimension& item,
                           std::span<const std::string> texts);

using Hdf5Values = std::variant<std::span<const float>, std::span<const double>, std::span<const std::int32_t>,
                                std::span<const std::int64_t>, std::span<const std::string>>;

/// A file being written, which must not exist before.
class Hdf5Writer {
 public:
  /// Where the file system has no locks HDF5, too, is to do without.
  explicit Hdf5Writer(std::filesystem::path file, bool has_locks = true);
  ~Hdf5Writer();

  void set_attribute(std::string_view name, std::string_view text);  ///< of the file
  void set_attribute(std::string_view name, std::int32_t number);

  /// Makes a group for that many variables: their names are kept in its head, instead of an index for thousands.
  void add_group(const std::string& name, std::size_t variables);

  /// Returns the number by which `write` knows the variable.
  std::size_t add(const Hdf5Variable& variable);

  /// Writes whole rows (entries of the first dimension) from `first_row` on.
  void write(std::size_t variable, std::size_t first_row, const Hdf5Values& values);

  /// Closes; what could not reach the disk is an error here.
  void close();

 private:
  struct Dataset {
    std::string path;
    Hdf5Handle handle;
    std::vector<std::size_t> shape;
    std::vector<std::size_t> chunk;  ///< of those whose whole chunks are compressed here; else empty
    bool is_characters = false;
  };
  const Hdf5Handle& group(const std::string& name, std::size_t expected_variables = 0);
  const Hdf5Handle& scale(const std::string& group_name, const Hdf5Dimension& dimension);
  void link_dimensions(const Hdf5Variable& variable, Dataset& dataset);
  void write_numbers(const Dataset& dataset, std::int64_t memory_type, std::size_t first_row, std::size_t rows,
                     const void* values);
  void write_chunks(const Dataset& dataset, std::size_t first_row, std::span<const float> values);
  void write_texts(const Dataset& dataset, std::size_t first_row, std::span<const std::string> texts);

  std::filesystem::path file_;
  Hdf5Handle handle_;
  std::map<std::string, Hdf5Handle> groups_;
  std::map<std::string, Hdf5Handle> scales_;  ///< by path
  std::vector<Dataset> datasets_;
  ChunkCompressor compressor_;
  std::vector<float> chunk_values_;  ///< scratch
};

/// What is known of a dataset without reading its values.
struct Hdf5Info {
  std::string name;
  Hdf5Type type = Hdf5Type::float64;
  std::vector<std::size_t> shape{};
  std::vector<std::string> dimensions{};                          ///< names, as many as axes
  std::vector<std::pair<std::string, std::string>> attributes{};  ///< the texts among them, by name
  bool is_coordinate = false;

  std::string attribute(std::string_view key) const;  ///< empty where absent
};

/// Part of a dataset: `count` entries from `start` on along each axis.
struct Hdf5Block {
  std::vector<std::size_t> start, count;
};

/// A file being read.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(std::filesystem::path file);
  ~Hdf5Reader();

  std::string text_attribute(std::string_view name) const;  ///< of the file; empty where absent
  int number_attribute(std::string_view name) const;        ///< of the file; -1 where absent

  /// In the order in which they were made.
  std::vector<std::string> groups() const;
  /// Without the empty scales of dimensions that have no coordinate.
  std::vector<Hdf5Info> variables(std::string_view group) const;
  bool has(std::string_view path) const;
  std::string attribute(std::string_view path, std::string_view name) const;  ///< of a dataset; empty where absent
  /// Entries along each axis of a dataset, and how it is stored. `FileError` where there is none.
  std::vector<std::size_t> shape(std::string_view path) const;
  Hdf5Type type(std::string_view path) const;

  /// All values, or those of a block; T is float, double, std::int32_t, std::int64_t or std::string.
  template <class T>
  std::vector<T> read(std::string_view path) const;
  template <class T>
  std::vector<T> read(std::string_view path, const Hdf5Block& block) const;

 private:
  Hdf5Handle open_dataset(std::string_view path) const;

  std::filesystem::path file_;
  Hdf5Handle handle_;
};

}  // namespace wattloop::twin
