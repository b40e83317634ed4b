#include "core/tables/log_lines.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text/code_point.hpp"
#include "core/text/nearest_file.hpp"

namespace wattloop {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // spreadsheets write it
/// Bytes that no text file contains: NUL, escape.
bool is_control(char c) { return static_cast<unsigned char>(c) < 32 && c != '\t' && c != '\n' && c != '\r'; }

constexpr std::size_t longest_line = std::size_t{1} << 26;

/// Offset of the first byte that does not begin a UTF-8 character; npos if there is none.
std::size_t first_other_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {  // the common case, fast
      ++at;
      continue;
    }
    const CodePoint one = code_point_at(text, at);
    if (one.value == no_character) return at;
    at += one.bytes;
  }
  return std::string_view::npos;
}

}  // namespace

LogLines::LogLines(const fs::path& file, Problems& problems)
    : file_(file.string()), problems_(problems), pieces_(file) {
  is_at_end_ = is_refused();
}

bool LogLines::refuse(std::string why, std::string hint) {
  problems_.add({{file_, 0, 0}, std::move(why), std::move(hint), {}});
  is_whole_ = false;
  is_at_end_ = true;
  return true;
}

bool LogLines::is_refused() {
  std::error_code error;
  const fs::file_status status = fs::status(file_, error);
  if (!fs::exists(status)) return refuse("no such file", nearest_file_hint(file_));
  if (fs::is_directory(status)) return refuse("is a folder, expected a log file");
  if (!fs::is_regular_file(status))
    return refuse("is a device or a pipe, expected a log file", "write its output to a file and give that file");
  pieces_.next(text_);
  if (pieces_.is_damaged()) return refuse("cannot be read, or is packed and damaged");
  if (text_.empty()) return refuse("the file is empty");
  if (text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff"))
    return refuse("is UTF-16 text, expected UTF-8", fmt::format("iconv -f utf-16 -t utf-8 {}", file_));
  const std::string_view head = std::string_view(text_).substr(0, 4096);
  if (std::ranges::any_of(head, is_control)) return refuse("is a binary file, expected text");
  if (text_.starts_with(byte_order_mark)) begin_ = byte_order_mark.size();
  return false;
}

/// Blank lines too.
bool LogLines::next_of_any(CsvLine& line) {
  std::size_t looked_at = begin_;
  for (;;) {
    if (ends_in_cr_ && begin_ < text_.size()) {
      if (text_[begin_] == '\n') ++begin_;
      ends_in_cr_ = false;
      looked_at = begin_;
    }
    const std::size_t end = text_.find_first_of("\r\n", looked_at);
    if (end != std::string::npos) {
      ends_in_cr_ = text_[end] == '\r';
      line = {std::string_view(text_).substr(begin_, end - begin_), ++number_};
      begin_ = end + 1;
      return true;
    }
    text_.erase(0, begin_);
    begin_ = 0;
    looked_at = text_.size();
    if (text_.size() > longest_line) {
      refuse(fmt::format("line {} has more than 64 MB: is this a text file?", number_ + 1));
      return false;
    }
    if (!pieces_.next(text_)) break;
  }
  if (pieces_.is_damaged()) {
    refuse(fmt::format("cannot be read beyond line {}: is packed and damaged", number_));
    return false;
  }
  is_at_end_ = true;
  if (text_.empty()) return false;
  line = {text_, ++number_};
  begin_ = text_.size();
  return true;
}

bool LogLines::is_text(const CsvLine& line) {
  if (std::ranges::any_of(line.text, is_control)) {
    refuse(fmt::format("is a binary file from line {} on, expected text", line.number));
    return false;
  }
  const std::size_t other = first_other_byte(line.text);
  if (other == std::string_view::npos) return true;
  problems_.add({{file_, line.number, static_cast<int>(other) + 1},
                 "is no UTF-8 text: latin-1 or windows-1252, perhaps",
                 fmt::format("iconv -f windows-1252 -t utf-8 {}", file_),
                 {}});
  is_whole_ = false;
  is_at_end_ = true;
  return false;
}

bool LogLines::next(CsvLine& line) {
  while (!is_at_end_ && next_of_any(line)) {
    if (!is_text(line)) return false;
    if (line.text.find_first_not_of(" \t") != std::string_view::npos) return true;
  }
  if (number_ == 0 && is_whole_) refuse("the file is empty");
  return false;
}

}  // namespace wattloop
