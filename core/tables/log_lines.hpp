// Lines of a log file of any size, one after the other: memory has a piece of the file and one line.
//
// Refused, with what to do, as read_csv_table() does: folders, devices, UTF-16, bytes that no UTF-8 text has, binary files, damaged
// packed files, files without a line. Lines end in LF, CRLF or CR.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/tables/csv_text.hpp"
#include "core/text/packed_text.hpp"
#include "core/text/problem.hpp"

namespace wattloop {

class LogLines {
 public:
  LogLines(const std::filesystem::path& file, Problems& problems);

  /// The next line that is not blank, those that begin with '#' too; its text is valid until the next call. False at the end, and where the file
  /// cannot be read on, which is reported.
  bool next(CsvLine& line);
  const std::string& file() const { return file_; }
  bool is_whole() const { return is_whole_; }  ///< nothing was refused so far

 private:
  bool is_refused();
  bool next_of_any(CsvLine& line);
  bool is_text(const CsvLine& line);
  bool refuse(std::string why, std::string hint = {});

  std::string file_;
  Problems& problems_;
  UnpackedPieces pieces_;
  std::string text_;  ///< unread from `begin_` on
  std::size_t begin_ = 0;
  int number_ = 0;
  bool is_whole_ = true;
  bool is_at_end_ = false;
  bool ends_in_cr_ = false;  ///< the line before: a LF at `begin_` belongs to its end
};

}  // namespace wattloop
