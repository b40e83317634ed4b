// Who may write a results file, and what is reported of one that is not as it was written.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/records/sample_results.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/platform/unfinished_name.hpp"
#include "twin/results/hdf5/results_seal.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/results/writer/results_writer.hpp"

namespace fs = std::filesystem;
using namespace wattloop;
using namespace wattloop::twin;
using namespace wattloop::tests;

namespace {

constexpr SampleSize small{.facility_rows = 20, .rack_rows = 5, .gpu_rows = 2, .racks = 3, .gpus = 8};

fs::path write_finished(const fs::path& file, const SampleSize& size) {
  ResultsWriter writer(file, "2026-01-01T00:00:00");
  write_sample(writer, size, 4.0);
  writer.finish();
  return file;
}

}  // namespace

TEST_CASE("what a process of the same number on a machine of the same name left is not written over", "[results]") {
  const TemporaryFolder folder;
  const fs::path left =
      fmt::format("{}.{}-{}-0000000000000000.partial.h5", (folder / "run.h5").string(), getpid(), host_name());
  { std::ofstream(left) << "left"; }
  write_finished(folder / "run.h5", small);
  std::string text;
  CHECK(std::getline(std::ifstream(left), text));
  CHECK(text == "left");
}

TEST_CASE("a second writer learns who writes, and nothing of the first is touched", "[results]") {
  const TemporaryFolder folder;
  ResultsWriter first(folder / "run.h5", "2026-01-01T00:00:00");
  const std::string reported =
      fmt::format("cannot write {}: process {} is writing it", (folder / "run.h5").string(), getpid());
  CHECK_THROWS_WITH(ResultsWriter(folder / "run.h5", "2026-01-01T00:00:00"), reported);
  write_sample(first, small);
  first.finish();
  CHECK(ResultsReader(folder / "run.h5").times_s("racks").size() == small.rack_rows);
  ResultsWriter(folder / "run.h5", "2026-01-01T00:00:00").finish();  // the lock is gone
}

TEST_CASE("a lock that a killed process left is taken over", "[results]") {
  const TemporaryFolder folder;
  { std::ofstream(folder / "run.h5.lock") << "1\n"; }
  write_finished(folder / "run.h5", small);
  CHECK_FALSE(fs::exists(folder / "run.h5.lock"));
}

TEST_CASE("a changed byte is reported wherever it is, and so is a lost end", "[results]") {
  const TemporaryFolder folder;
  const fs::path file = write_finished(folder / "run.h5", small);
  std::string bytes(fs::file_size(file), '\0');
  std::ifstream(file, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const std::size_t step = std::max<std::size_t>(bytes.size() / 1500, 1);
  std::size_t unreported = 0, looked = 0;
  const auto is_reported = [&](const std::string& changed) {
    std::ofstream(folder / "changed.h5", std::ios::binary) << changed;
    try {
      const ResultsReader reader(folder / "changed.h5");
    } catch (const FileError&) {
      return true;
    }
    return false;
  };
  for (std::size_t at = 0; at < bytes.size(); at += at + 80 < bytes.size() ? step : 1) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
    unreported += is_reported(changed) ? 0 : 1;
    ++looked;
  }
  CHECK(looked > 1000);
  CHECK(unreported == 0);
  for (const std::size_t lost : {1, 2, 30, 57, 58, 100, 5000}) CHECK(is_reported(bytes.substr(0, bytes.size() - lost)));
  CHECK(is_reported(bytes + "x"));
  CHECK_FALSE(is_reported(bytes));
}

TEST_CASE("the checksum is that of zlib over all that stands before the last line", "[results]") {
  const TemporaryFolder folder;
  const fs::path file = folder / "nine";
  { std::ofstream(file) << "123456789"; }
  seal_results(file);
  std::string text(fs::file_size(file), '\0');
  std::ifstream(file, std::ios::binary).read(text.data(), static_cast<std::streamsize>(text.size()));
  CHECK(text == "123456789\nwattloop results end: 0000000000000009 bytes, crc32 cbf43926\n");  // CRC-32's check value
  CHECK(is_sealed(file));
}

TEST_CASE("what cannot be read or sealed is reported with the system's reason", "[results][seal]") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(seal_results(folder.path()), Catch::Matchers::EndsWith(": Is a directory"));
  CHECK_THROWS_WITH(seal_results(folder / "none.h5"), Catch::Matchers::EndsWith("none.h5: No such file or directory"));
  CHECK_THROWS_AS(seal_results(folder.path()), FileError);
}
