#include "twin/results/writer/row_log.hpp"

#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/text/problem.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t frame_bytes = std::size_t{1} << 20U;

struct FrameHead {
  std::uint64_t size = 0;
  std::uint32_t checksum = 0;
  static constexpr std::size_t bytes = 12;
};

struct RowHead {
  std::uint32_t table = 0, values = 0;
  double time_s = 0.0;
};
static_assert(sizeof(RowHead) == 16);

const std::filesystem::path& without(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::remove(file, error);
  return file;
}

const std::filesystem::path& cut_off(const std::filesystem::path& file, std::uintmax_t bytes) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || size < bytes)
    throw FileError(fmt::format("cannot read {}: rows before the checkpoint are gone", file.string()));
  std::filesystem::resize_file(file, bytes, error);
  if (error) throw FileError(fmt::format("cannot write {}: {}", file.string(), error.message()));
  return file;
}

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

RowLog::RowLog(const std::filesystem::path& file) : file_(without(file), SystemFile::Access::create) {}

RowLog::RowLog(const std::filesystem::path& file, std::uintmax_t bytes)
    : file_(cut_off(file, bytes), SystemFile::Access::append) {}

void RowLog::add(std::size_t table, double time_s, std::span<const float> values) {
  append(bytes_, RowHead{static_cast<std::uint32_t>(table), static_cast<std::uint32_t>(values.size()), time_s});
  bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  if (bytes_.size() >= frame_bytes) write();
}

void RowLog::write() {
  if (bytes_.empty()) return;
  std::string head;
  append(head, std::uint64_t{bytes_.size()});
  append(head, checksum_of(bytes_));
  file_.write(head);
  file_.write(bytes_);
  bytes_.clear();
}

std::uintmax_t RowLog::keep() {
  write();
  file_.keep();
  return file_.size();
}

void for_each_row(const std::filesystem::path& file, std::uintmax_t bytes,
                  const std::function<void(std::size_t, double, std::span<const float>)>& take) {
  const SystemFile log(file, SystemFile::Access::read);
  std::vector<char> frame;
  std::vector<float> values;
  for (std::uintmax_t at = 0; at < bytes;) {
    std::array<char, FrameHead::bytes> text{};
    log.read(text, at);
    FrameHead head;
    std::memcpy(&head.size, text.data(), sizeof head.size);
    std::memcpy(&head.checksum, text.data() + sizeof head.size, sizeof head.checksum);
    at += FrameHead::bytes;
    if (head.size > bytes - at) throw FileError(fmt::format("cannot read {}: it is damaged", file.string()));
    frame.resize(head.size);
    log.read(frame, at);
    at += head.size;
    if (checksum_of(std::string_view(frame.data(), frame.size())) != head.checksum)
      throw FileError(fmt::format("cannot read {}: it is damaged", file.string()));
    for (std::size_t k = 0; k < frame.size();) {
      RowHead row;
      std::memcpy(&row, frame.data() + k, sizeof row);
      values.resize(row.values);
      std::memcpy(values.data(), frame.data() + k + sizeof row, row.values * sizeof(float));
      k += sizeof row + row.values * sizeof(float);
      take(row.table, row.time_s, values);
    }
  }
}

}  // namespace wattloop::twin
