// Lines of logs, one after the other: ends of lines at the borders of pieces, packed files, and a memory that does not grow with the file.
#include "core/tables/log_lines.hpp"

#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "core/tables/log_table.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace wattloop;
using Catch::Matchers::Contains;

namespace {

/// Lines with their numbers, "1:a|3:b", and problems behind them.
std::string lines_of(const std::string& text) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder / "log", std::ios::binary) << text;
  Problems problems;
  LogLines lines(folder / "log", problems);
  std::string found;
  for (CsvLine line; lines.next(line);)
    found += fmt::format("{}{}:{}", found.empty() ? "" : "|", line.number, line.text);
  for (const Problem& problem : problems.all()) found += "!" + problem.message;
  return found;
}

/// Of this process, at most so far.
double peak_memory_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kb = 0.0;
    if (word == "VmHWM:" && status >> kb) return kb / 1000.0;
  }
  return 0.0;
}

}  // namespace

TEST_CASE("lines of a log end in LF, CRLF or CR, the last one in nothing", "[imports][csv]") {
  CHECK(lines_of("a\nb\n") == "1:a|2:b");
  CHECK(lines_of("a\r\nb\r\n\r\nc") == "1:a|2:b|4:c");
  CHECK(lines_of("a\rb\r\rc\r") == "1:a|2:b|4:c");
  CHECK(lines_of("\xef\xbb\xbf# a\n \t\nb") == "1:# a|3:b");
  CHECK(lines_of("") == "!the file is empty");
}

TEST_CASE("a line may begin and end anywhere in a piece of the file", "[imports][csv]") {
  for (const std::size_t length : {65533, 65534, 65535, 65536, 65537, 200000}) {
    const std::string first(length, 'x');
    CHECK(lines_of(first + "\r\nb\r\n") == fmt::format("1:{}|2:b", first));
    CHECK(lines_of(first + "\nb") == fmt::format("1:{}|2:b", first));
  }
}

TEST_CASE("a log of many megabytes is read in little memory", "[imports][csv]") {
  const tests::TemporaryFolder folder;
  constexpr int rows = 600000;
  {
    std::ofstream file(folder / "log", std::ios::binary);
    for (int k = 0; k < rows; ++k) file << "2023/09/15 10:23:45.123, 0, NVIDIA H100 80GB HBM3, 612.34 W, 100 %, 60\n";
  }
  REQUIRE(std::filesystem::file_size(folder / "log") > 40'000'000);
  const double before_mb = peak_memory_mb();
  REQUIRE(before_mb > 0.0);
  Problems problems;
  LogLines lines(folder / "log", problems);
  int count = 0;
  for (CsvLine line; lines.next(line);) ++count;
  CHECK(count == rows);
  CHECK(peak_memory_mb() - before_mb < 8.0);
}

TEST_CASE("a damaged packed log is refused, and a folder", "[imports][csv]") {
  CHECK_THAT(lines_of(std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
                                  "damaged",
                                  17)),
             Contains("packed and damaged"));
  Problems problems;
  LogLines lines("/", problems);
  CHECK_FALSE(lines.is_whole());
  REQUIRE(problems.size() == 1);
  CHECK(problems.all().front().message == "is a folder, expected a log file");
}

TEST_CASE("units in brackets belong to names", "[imports][csv]") {
  CHECK(name_with_unit("power.draw [W]").name == "power.draw");
  CHECK(name_with_unit("power.draw [W]").unit == "W");
  CHECK(name_with_unit("time(ms)").unit == "ms");
  CHECK(name_with_unit("node_1").name == "node_1");
  CHECK(name_with_unit("a]").name == "a]");
}
