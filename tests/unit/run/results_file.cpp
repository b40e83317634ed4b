#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <regex>
#include <thread>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/records/sample_results.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/platform/unfinished_name.hpp"
#include "twin/results/hdf5/hdf5_file.hpp"
#include "twin/results/hdf5/results_seal.hpp"
#include "twin/results/reader/results_equality.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/results/schema/results_groups.hpp"
#include "twin/results/writer/results_writer.hpp"

namespace fs = std::filesystem;
using namespace wattloop;
using namespace wattloop::twin;
using namespace wattloop::tests;

namespace {

bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

/// Counts values of a table that differ from the formula of the sample.
std::size_t wrong_values(const ResultsReader& results, const TableSpec& table, std::size_t rows) {
  std::size_t wrong = 0;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const std::vector<float> values = results.column(table.group, table.columns[column].name);
    REQUIRE(values.size() == rows * table.item_count());
    for (std::size_t at = 0; at < values.size(); ++at) {
      const float expected = sample_value(column, at / table.item_count(), at % table.item_count());
      wrong += same_bits(values[at], expected) ? 0 : 1;
    }
  }
  return wrong;
}

void require_same_table(const TableSpec& read, const TableSpec& written) {
  CHECK(read.item_dimension == written.item_dimension);
  CHECK(read.items == written.items);
  CHECK(read.item_count() == written.item_count());
  REQUIRE(read.columns.size() == written.columns.size());
  for (std::size_t column = 0; column < read.columns.size(); ++column) {
    CHECK(read.columns[column].name == written.columns[column].name);
    CHECK(read.columns[column].unit == written.columns[column].unit);
    CHECK(read.columns[column].long_name == written.columns[column].long_name);
  }
}

fs::path write_finished(const fs::path& file, const SampleSize& size, double wall_time_s = 4.0) {
  ResultsWriter writer(file, "2026-01-01T00:00:00");
  write_sample(writer, size, wall_time_s);
  writer.finish();
  return file;
}

/// Files of this process may not grow further: the nearest thing to a full disk that needs no mount.
void limit_file_size(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, RLIM_INFINITY};
  setrlimit(RLIMIT_FSIZE, &limit);
}

/// What `work` returns in a process of its own, "died" where that does not end well; at most a pipe's buffer.
template <class Work>
std::string in_child(const Work& work) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::string text = work();
    const bool is_written = ::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(is_written ? 0 : 1);
  }
  close(ends[1]);
  int status = -1;
  waitpid(child, &status, 0);
  std::string text(4096, '\0');
  const ssize_t length = read(ends[0], text.data(), text.size());
  close(ends[0]);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  return status == 0 ? text : "died";
}

constexpr SampleSize small{.facility_rows = 20, .rack_rows = 5, .gpu_rows = 2, .racks = 3, .gpus = 8};

}  // namespace

TEST_CASE("what is written to a results file is read back", "[results]") {
  const TemporaryFolder folder;
  const SampleSize size;
  const ResultsReader results(write_finished(folder / "run.h5", size));
  CHECK(results.start_iso() == "2026-01-01T00:00:00");
  CHECK(results.tables() == std::vector<std::string>{"facility", "racks", "gpus"});
  require_same_table(results.table("facility"), facility_table());
  require_same_table(results.table("racks"), rack_table(size.racks));
  require_same_table(results.table("gpus"), gpu_table(size.gpus));
  CHECK(wrong_values(results, facility_table(), size.facility_rows) == 0);
  CHECK(wrong_values(results, rack_table(size.racks), size.rack_rows) == 0);
  CHECK(wrong_values(results, gpu_table(size.gpus), size.gpu_rows) == 0);
  const std::vector<double> times_s = results.times_s("racks");
  REQUIRE(times_s.size() == size.rack_rows);
  CHECK(times_s.front() == 0.0);
  CHECK(times_s.back() == 15.0 * 699);
  CHECK(results.events() == sample_events(size.events));
  CHECK(results.layout() == sample_layout(size.racks));
  CHECK(results.limits() == sample_limits());
  CHECK(results.provenance() == sample_provenance());
  CHECK(results.provenance_text("scenario") == std::get<std::string>(sample_provenance()[0].value));
  CHECK_FALSE(results.provenance_text("commit").has_value());
  CHECK(results.summary_number("pue") == 1.18);
  CHECK(results.summary_number("throttled_gpus") == 0.0);
  CHECK(std::isnan(results.summary_number("first_throttle_time").value()));
  CHECK_FALSE(results.summary_number("verdict").has_value());
  CHECK(results.summary().at(4) == sample_summary(4.0).at(4));
}

TEST_CASE("items without names are numbered from one", "[results]") {
  const TemporaryFolder folder;
  const SampleSize size{.racks = 2, .gpus = 10};
  const Hdf5Reader file(write_finished(folder / "run.h5", size));
  CHECK(file.read<std::int32_t>("gpus/gpu") == std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
}

TEST_CASE("a row of chunks that reaches beyond the last component is read back, and so is one that is not full",
          "[results]") {
  const TemporaryFolder folder;
  const SampleSize size{.facility_rows = 1024, .rack_rows = 1, .gpu_rows = 70, .racks = 1, .gpus = 3000};
  const ResultsReader results(write_finished(folder / "run.h5", size));
  CHECK(chunk_shape(gpu_table(size.gpus)) == std::array<std::size_t, 2>{32, 2560});
  CHECK(wrong_values(results, facility_table(), size.facility_rows) == 0);
  CHECK(wrong_values(results, rack_table(size.racks), size.rack_rows) == 0);
  CHECK(wrong_values(results, gpu_table(size.gpus), size.gpu_rows) == 0);
}

TEST_CASE("a frame and a series are cuts through the same values", "[results]") {
  const TemporaryFolder folder;
  const ResultsReader results(write_finished(folder / "run.h5", {}));
  const std::vector<float> frame = results.frame("gpus", "power", 65);
  const std::vector<float> series = results.series("gpus", "power", 9999);
  REQUIRE(frame.size() == 10240);
  REQUIRE(series.size() == 70);
  CHECK(frame[17] == sample_value(1, 65, 17));
  CHECK(series[33] == sample_value(1, 33, 9999));
  CHECK(frame[9999] == series[65]);
  CHECK(results.series("facility", "power")[2999] == sample_value(0, 2999, 0));
  CHECK_THROWS_AS(results.frame("gpus", "power", 70), FileError);
  CHECK_THROWS_AS(results.series("gpus", "power", 10240), FileError);
  CHECK_THROWS_WITH(results.column("gpus", "colour"), Catch::Contains("there is no dataset 'gpus/colour'"));
}

TEST_CASE("a table may have any number of rows and items", "[results]") {
  const TemporaryFolder folder;
  const std::size_t rows = GENERATE(0, 1, 1023, 1024, 1025, 5000);
  const std::size_t items = GENERATE(1, 7);
  {
    ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
    append_rows(writer, rack_table(items), rows, 1.0);
    writer.finish();
  }
  const ResultsReader results(folder / "run.h5");
  CHECK(results.times_s("racks").size() == rows);
  CHECK(wrong_values(results, rack_table(items), rows) == 0);
  CHECK(results.events().empty());
  CHECK(results.layout().empty());
  CHECK(results.summary().empty());
}

TEST_CASE("chunks are about 160 kB and never thinner than 32 rows", "[results]") {
  CHECK(chunk_shape(facility_table()) == std::array<std::size_t, 2>{1024, 1});
  CHECK(chunk_shape(rack_table(160)) == std::array<std::size_t, 2>{256, 160});
  CHECK(chunk_shape(gpu_table(10240)) == std::array<std::size_t, 2>{32, 2560});
  CHECK(chunk_shape(gpu_table(102400)) == std::array<std::size_t, 2>{32, 2560});
}

TEST_CASE("events may come in several portions", "[results]") {
  const TemporaryFolder folder;
  const std::vector<EventRecord> events = sample_events(2500);
  {
    ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
    writer.write_events(std::span(events).first(3));
    writer.write_events({});
    writer.write_events(std::span(events).subspan(3));
    writer.finish();
  }
  CHECK(ResultsReader(folder / "run.h5").events() == events);
}

TEST_CASE("an earlier result stays until the new one is whole", "[results]") {
  const TemporaryFolder folder;
  const fs::path file = write_finished(folder / "run.h5", {.facility_rows = 7});
  {
    ResultsWriter writer(file, "2026-01-01T00:00:00");
    append_rows(writer, facility_table(), 9, 1.0);
    CHECK(ResultsReader(file).times_s("facility").size() == 7);
    writer.finish();
  }
  CHECK(ResultsReader(file).times_s("facility").size() == 9);
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);  // no partial file, no lock
}

TEST_CASE("a run that ends early leaves a readable partial file", "[results]") {
  const TemporaryFolder folder;
  const bool by_destructor = GENERATE(true, false);
  fs::path partial;
  {
    ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
    partial = writer.partial();
    append_rows(writer, rack_table(4), 1500, 1.0);
    if (!by_destructor) CHECK(writer.abandon() == partial);
    if (!by_destructor) CHECK(ResultsReader(partial).times_s("racks").size() == 1500);
  }
  CHECK_FALSE(fs::exists(folder / "run.h5"));
  CHECK(wrong_values(ResultsReader(partial), rack_table(4), 1500) == 0);
}

TEST_CASE("missing folders of a results file are made", "[results]") {
  const TemporaryFolder folder;
  write_finished(folder.path() / "a" / "b" / "run.h5", small);
  CHECK(fs::exists(folder.path() / "a" / "b" / "run.h5"));
}

TEST_CASE("a results file that cannot be made is an error that names it", "[results]") {
  const TemporaryFolder folder;
  const fs::path file = write_finished(folder / "run.h5", small);
  CHECK_THROWS_WITH(ResultsWriter(file / "sub" / "x.h5", "2026-01-01T00:00:00"),
                    fmt::format("cannot write {}/sub/x.h5: {} is a file, not a folder", file.string(), file.string()));
  CHECK_THROWS_AS(ResultsWriter(file / "x.h5", "2026-01-01T00:00:00"), FileError);
  CHECK_THROWS_WITH(ResultsWriter(folder.path(), "2026-01-01T00:00:00"), Catch::Contains("it is a folder"));
  CHECK_THROWS_WITH(ResultsWriter("/proc/x/y.h5", "2026-01-01T00:00:00"), Catch::Contains("/proc/x"));
  ResultsWriter first(folder / "twice.h5", "2026-01-01T00:00:00");
  CHECK_THROWS_AS(ResultsWriter(folder / "twice.h5", "2026-01-01T00:00:00"), FileError);
}

TEST_CASE("a disk that fills up is an error with the system's words, and spares the earlier result", "[results]") {
  const TemporaryFolder folder;
  const fs::path file = write_finished(folder / "run.h5", {.facility_rows = 7});
  const rlim_t limit = GENERATE(100, 1000, 5000, 20000, 60000, 100000);
  const std::string message = in_child([&] {
    limit_file_size(limit);
    try {
      ResultsWriter writer(file, "2026-01-01T00:00:00");
      write_sample(writer, {.rack_rows = 20000});
      writer.finish();
    } catch (const FileError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  });
  const std::string of_child =
      std::regex_replace(message, std::regex("\\.h5\\.[0-9]+-[^ ]*\\.partial"), ".h5.0.partial");
  CHECK(of_child == "cannot write " + file.string() + ".0.partial.h5: File too large");
  CHECK(ResultsReader(file).times_s("facility").size() == 7);
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    INFO(entry.path());
    CHECK(entry.path().string().find(".partial") == std::string::npos);  // it would fill the disk
  }
}

TEST_CASE("a failure in the background reaches the next calls", "[results]") {
  const TemporaryFolder folder;
  const std::string calls = in_child([&] {
    ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
    const TableSpec table = rack_table(160);
    const std::size_t number = writer.add_table(table);
    limit_file_size(30000);
    const std::vector<float> row = sample_row(table, 1);
    std::string failed;
    try {
      for (std::size_t at = 0; at < 1'000'000; ++at) writer.append(number, static_cast<double>(at), row);
    } catch (const FileError&) {
      failed += "append ";
    }
    const auto attempt = [&](const char* name, auto call) {
      try {
        call();
      } catch (const FileError&) {
        failed += name;
      }
    };
    attempt("append ", [&] { writer.append(number, 2e6, row); });
    attempt("summary ", [&] { writer.write_summary(sample_summary(1.0)); });
    attempt("finish", [&] { writer.finish(); });
    return failed;
  });
  CHECK(calls == "append append summary finish");
  CHECK_FALSE(fs::exists(folder / "run.h5"));
}

TEST_CASE("a file that is no results file is refused with its reason", "[results]") {
  const TemporaryFolder folder;
  const fs::path text = folder / "text.h5";
  { std::ofstream(text) << "title: no\n"; }
  CHECK_FALSE(is_results_file(text));
  CHECK_FALSE(is_results_file(folder / "missing.h5"));
  CHECK(is_results_file(write_finished(folder / "run.h5", small)));
  CHECK_THROWS_WITH(ResultsReader(text), Catch::Contains("not an HDF5 file"));
  CHECK_THROWS_WITH(ResultsReader(folder / "missing.h5"), Catch::Contains("no such file"));
  CHECK_THROWS_WITH(ResultsReader(folder.path()), Catch::Contains("it is a folder"));
  Hdf5Writer(folder / "other.h5").close(), seal_results(folder / "other.h5");
  CHECK_THROWS_WITH(ResultsReader(folder / "other.h5"), Catch::Contains("not a results file of Wattloop"));
  {
    Hdf5Writer newer(folder / "newer.h5");
    newer.set_attribute(format_attribute, results_format_version + 1);
    newer.close(), seal_results(folder / "newer.h5");
  }
  CHECK_THROWS_WITH(ResultsReader(folder / "newer.h5"), Catch::Contains("its format is version 4"));
  fs::resize_file(folder / "run.h5", fs::file_size(folder / "run.h5") / 2);
  CHECK_THROWS_AS(ResultsReader(folder / "run.h5"), FileError);
}

TEST_CASE("a row of the wrong length and a row after the end are refused", "[results]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
  const std::size_t table = writer.add_table(facility_table());
  const std::vector<float> row(3, 1.0F);
  CHECK_THROWS_AS(writer.append(table, 0.0, std::span(row).first(2)), std::invalid_argument);
  writer.append(table, 0.0, row);
  writer.finish();
  CHECK_THROWS_AS(writer.append(table, 1.0, row), std::logic_error);
  CHECK_THROWS_AS(writer.add_table(rack_table(1)), std::logic_error);
}

TEST_CASE("equal runs give equal files, byte for byte", "[results]") {
  const TemporaryFolder folder;
  const fs::path a = write_finished(folder / "a.h5", small);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // a stored time of day would differ
  const fs::path b = write_finished(folder / "b.h5", small);
  const auto bytes = [](const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  CHECK(bytes(a) == bytes(b));
  CHECK(results_equal(a, b));
  CHECK(results_equal(a, write_finished(folder / "later.h5", small, 5.0)));
}

TEST_CASE("the first difference of two results is named", "[results]") {
  const TemporaryFolder folder;
  const auto written = [&](const char* name, auto change) {
    ResultsWriter writer(folder / name, "2026-01-01T00:00:00");
    TableSpec table = rack_table(4);
    std::vector<float> row(12, 1.5F);
    std::vector<NamedValue> summary{{"pue", 1.18, "1", ""}};
    std::vector<EventRecord> events = sample_events(2);
    std::size_t rows = 20;
    change(table, row, summary, events, rows);
    const std::size_t number = writer.add_table(table);
    for (std::size_t at = 0; at < rows; ++at) writer.append(number, static_cast<double>(at), row);
    writer.write_summary(summary);
    writer.write_events(events);
    writer.finish();
    return folder / name;
  };
  const fs::path base = written("base.h5", [](auto&...) {});
  const auto difference = [&](auto change) {
    const ResultsEquality equality = results_equal(base, written("other.h5", change));
    CHECK(equality.equal == equality.difference.empty());
    return equality.difference;
  };
  CHECK(difference([](auto&...) {}) == "");
  CHECK(difference([](auto&, auto& row, auto&...) { row[7] = 1.625F; }) ==
        "racks/supply_temperature[time 0, rack 3]: 1.5 and 1.625");
  CHECK(difference([](auto&, auto& row, auto&...) { row[0] = std::nanf(""); }) ==
        "racks/it_power[time 0, rack 0]: 1.5 and nan");
  CHECK(difference([](auto& table, auto&...) { table.columns[0].unit = "kW"; }) ==
        "racks/it_power: units is 'W' and 'kW'");
  CHECK(difference([](auto& table, auto&...) { table.columns[0].name = "power"; }) ==
        "racks/power: only in the second");
  CHECK(difference([](auto& table, auto&...) { table.group = "rows"; }) == "rows: only in the second");
  CHECK(difference([](auto& table, auto&...) { table.items[1] = "x"; }) == "racks/rack[rack 1]: row_1.rack_2 and x");
  CHECK(difference([](auto&, auto&, auto& summary, auto&...) { summary[0].value = 1.19; }) ==
        "summary/pue: 1.18 and 1.19");
  CHECK(difference([](auto&, auto&, auto&, auto& events, auto&) { events[1].kind = "trip"; }) ==
        "events/kind[event 1]: restore and trip");
  CHECK(difference([](auto&, auto&, auto&, auto&, auto& rows) { rows = 21; }) == "racks/time: of size 20 and 21");
}

TEST_CASE("no two outputs and no two processes share a partial file", "[results]") {
  const std::string name = unfinished_name("a/case_0.1", ".partial.h5").string();
  const std::string begin = fmt::format("a/case_0.1.{}-{}-", getpid(), host_name().substr(0, 24));
  CHECK(name.starts_with(begin));
  CHECK(name.size() == begin.size() + 16 + 11);  // 64 bits of chance
  CHECK(name.ends_with(".partial.h5"));
  CHECK(unfinished_name("a/case_0.1", ".partial.h5") != name);  // containers may agree in the rest
  CHECK(unfinished_name("a/case_0.2").string().starts_with("a/case_0.2."));
}
