#include "twin/results/hdf5/results_seal.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "twin/platform/system_file.hpp"

namespace wattloop::twin {

namespace {

constexpr std::string_view beginning = "\nwattloop results end: ";

/// Always of the same length.
std::string seal_text(std::uint32_t checksum, std::uintmax_t size) {
  return fmt::format("{}{:016x} bytes, crc32 {:08x}\n", beginning, size, checksum);
}

const std::size_t seal_length = seal_text(0, 0).size();

}  // namespace

void seal_results(const std::filesystem::path& file) {
  const SystemFile written(file, SystemFile::Access::read);
  const std::uintmax_t size = written.size();
  SystemFile end(file, SystemFile::Access::append);
  end.write(seal_text(checksum_of(written, size), size));
  end.close();
}

bool is_sealed(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  const SystemFile in(file, SystemFile::Access::read);
  const std::uintmax_t size = in.size();
  if (size < seal_length) return false;
  const std::uintmax_t sealed = size - seal_length;
  std::string seal(seal_length, '\0');
  in.read(seal, sealed);
  if (!seal.starts_with(beginning)) return false;
  if (seal == seal_text(checksum_of(in, sealed), sealed)) return true;
  throw FileError(fmt::format(
      "cannot read {}: the file was changed or damaged after the run wrote it; --trust reads it nevertheless",
      file.string()));
}

void demand_seal(const std::filesystem::path& file) {
  if (std::getenv(trust_variable) != nullptr || is_sealed(file)) return;
  throw FileError(fmt::format(
      "cannot read {}: its last line, a checksum, is missing: the run was killed, another program changed the file, "
      "or it is not a results file of Wattloop; --trust reads it nevertheless",
      file.string()));
}

}  // namespace wattloop::twin
