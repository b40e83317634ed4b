#include "twin/results/hdf5/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/problem.hpp"
#include "twin/results/hdf5/hdf5_file_calls.hpp"

namespace wattloop::twin {

namespace {

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

/// Keeps the operating system's message of an error record, else the deepest description.
herr_t keep_reason(unsigned, const H5E_error2_t* record, void* target) {
  auto& reason = *static_cast<std::string*>(target);
  const std::string_view description = record->desc == nullptr ? "" : record->desc;
  constexpr std::string_view mark = "error message = '";
  if (const std::size_t begin = description.find(mark); begin != std::string_view::npos) {
    const std::string_view message = description.substr(begin + mark.size());
    reason = message.substr(0, message.find('\''));
    return 1;
  }
  if (reason.empty()) reason = description;
  return 0;
}

/// Of "truncated file: eof = 200, sblock->base_addr = 0, stored_eof = 500" what it means.
std::string in_plain_words(std::string reason) {
  constexpr std::string_view truncated = "truncated file: eof = ", whole = "stored_eof = ";
  const std::size_t begin = reason.find(truncated), end = reason.find(whole);
  if (begin == std::string::npos || end == std::string::npos) return reason;
  const auto digits = [&](std::size_t from) {
    return reason.substr(from, reason.find_first_not_of("0123456789", from) - from);
  };
  return fmt::format("truncated file: {} of {} bytes are there; it was cut off, or is still being copied",
                     digits(begin + truncated.size()), digits(end + whole.size()));
}

}  // namespace

Hdf5Handle::~Hdf5Handle() {
  if (id_ < 0) return;
  const Hdf5Lock lock;
  H5Idec_ref(id_);
}

/// The library's own end-of-program cleaning crashes after a full disk (1.10.8); all that we open we close.
Hdf5Lock::Hdf5Lock() : lock_(library_mutex()) {
  static const herr_t without_cleaning = H5dont_atexit();
  static_cast<void>(without_cleaning);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string hdf5_error_text() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, &reason);
  return reason.empty() ? "unknown failure of the file library" : in_plain_words(std::move(reason));
}

std::vector<std::size_t> chunk_of_columns(const std::vector<Hdf5Dimension>& dimensions) {
  constexpr std::size_t least_compressed = 1024, most_rows = 1 << 17;
  std::size_t values = 1;
  for (const Hdf5Dimension& dimension : dimensions) values *= dimension.size;
  if (values < least_compressed) return {};
  std::vector<std::size_t> chunk(dimensions.size(), 1);
  chunk.front() = std::min(dimensions.front().size, most_rows);
  return chunk;
}

Hdf5Variable text_variable(std::string group, std::string name, const Hdf5Dimension& item,
                           std::span<const std::string> texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  Hdf5Variable variable{.group = std::move(group), .name = std::move(name), .type = Hdf5Type::characters};
  variable.dimensions = {item, {variable.name + "_length", longest}};
  variable.attributes = {{"_Encoding", "utf-8"}};
  variable.chunk = chunk_of_columns(variable.dimensions);
  return variable;
}

void throw_hdf5_error(std::string_view doing, const std::filesystem::path& file) {
  throw FileError(fmt::format("cannot {} {}: {}", doing, file.string(), hdf5_error_text()));
}

hid_t memory_type(Hdf5Type type) {
  switch (type) {
    case Hdf5Type::float32:
      return H5T_NATIVE_FLOAT;
    case Hdf5Type::float64:
      return H5T_NATIVE_DOUBLE;
    case Hdf5Type::int32:
      return H5T_NATIVE_INT32;
    case Hdf5Type::int64:
      return H5T_NATIVE_INT64;
    case Hdf5Type::text:
    case Hdf5Type::characters:
      break;
  }
  return H5I_INVALID_HID;
}

hid_t file_type(Hdf5Type type) {
  switch (type) {
    case Hdf5Type::float32:
      return H5T_IEEE_F32LE;
    case Hdf5Type::float64:
      return H5T_IEEE_F64LE;
    case Hdf5Type::int32:
      return H5T_STD_I32LE;
    case Hdf5Type::int64:
      return H5T_STD_I64LE;
    case Hdf5Type::text:
    case Hdf5Type::characters:
      break;
  }
  return H5I_INVALID_HID;
}

Hdf5Handle character_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  return type;
}

Hdf5Handle text_type(std::size_t length) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.id(), length);
  H5Tset_strpad(type.id(), H5T_STR_NULLTERM);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

}  // namespace wattloop::twin
