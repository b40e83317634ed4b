// A process that reads what it should not believe: its exit code is the command's, its crash an error.
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/records/sample_results.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/commands/program/trusted_results.hpp"
#include "twin/results/hdf5/results_seal.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

/// Without what the test program does about signals.
int ended_by(int signal) {
  std::signal(signal, SIG_DFL);
  return raise(signal);
}

}  // namespace

TEST_CASE("a process of its own ends with the code of the action, or its crash is reported", "[trust]") {
  CHECK(in_limited_process([] { return 3; }, {}) == 3);
  CHECK_THROWS_WITH(in_limited_process([] { return ended_by(SIGSEGV); }, {}), Contains("signal 11"));
  CHECK_THROWS_WITH(in_limited_process([] { return ended_by(SIGABRT); }, {}), Contains("signal 6"));
}

TEST_CASE("a process of its own has limits of time and memory", "[trust]") {
  const auto turn = []() -> int {
    volatile double x = 1.0;
    for (;;) x = x * 1.0000001;
  };
  CHECK_THROWS_WITH(in_limited_process(turn, {.processor_s = 1}), Contains("more than 1 s of processor time"));
  const auto fill = [] {
    try {
      return std::vector<char>(std::size_t{8} << 30U).empty() ? 1 : 0;
    } catch (const std::bad_alloc&) {
      return 5;
    }
  };
  CHECK(in_limited_process(fill, {.memory_bytes = std::size_t{4} << 30U}) == 5);
}

TEST_CASE("nothing is read of a file that lost its seal unless it is trusted", "[trust][results]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
  write_sample(writer, {.facility_rows = 20, .rack_rows = 5, .gpu_rows = 2, .racks = 3, .gpus = 8});
  writer.finish();
  std::filesystem::resize_file(folder / "run.h5", std::filesystem::file_size(folder / "run.h5") - 58);
  CHECK_FALSE(is_sealed(folder / "run.h5"));
  CHECK_THROWS_WITH(ResultsReader(folder / "run.h5"), Contains("its last line, a checksum, is missing"));
  setenv(trust_variable, "300", 1);
  CHECK(ResultsReader(folder / "run.h5").times_s("racks").size() == 5);
  unsetenv(trust_variable);
}
