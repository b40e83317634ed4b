#include "twin/results/writer/results_writer.hpp"

#include <fmt/format.h>

#include <sys/stat.h>

#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/platform/output_lock.hpp"
#include "twin/platform/unfinished_name.hpp"
#include "twin/platform/whole_file.hpp"
#include "twin/results/hdf5/results_seal.hpp"
#include "twin/results/schema/results_groups.hpp"
#include "twin/results/schema/topology_group.hpp"
#include "twin/results/writer/row_log.hpp"
#include "twin/results/writer/writer_thread.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

struct BlockShape {
  std::size_t chunk_rows, columns, items;
};

/// Rows of one table on their way to the file, one chunk high: for each column rows x items. The variables belong to the
/// thread that writes.
class Block : public WriterJob {
 public:
  Block(Hdf5Writer& file, const TableVariables& variables, const BlockShape& shape)
      : file_(file),
        variables_(variables),
        shape_(shape),
        time_s_(shape.chunk_rows),
        bounds_s_(2 * shape.chunk_rows),
        values_(shape.chunk_rows * shape.items * shape.columns) {}

  void begin(std::size_t first_row) {
    first_row_ = first_row;
    rows_ = 0;
  }

  void add_row(double begin_s, double time_s, std::span<const float> values) {
    time_s_[rows_] = time_s;
    bounds_s_[2 * rows_] = begin_s;
    bounds_s_[2 * rows_ + 1] = time_s;
    for (std::size_t column = 0; column < shape_.columns; ++column) {
      std::memcpy(values_.data() + (column * shape_.chunk_rows + rows_) * shape_.items,
                  values.data() + column * shape_.items, shape_.items * sizeof(float));
    }
    ++rows_;
  }

  void run() override {
    file_.write(variables_.time, first_row_, std::span<const double>(time_s_).first(rows_));
    file_.write(variables_.bounds, first_row_, std::span<const double>(bounds_s_).first(2 * rows_));
    for (std::size_t column = 0; column < shape_.columns; ++column) {
      const std::span<const float> all(values_);
      file_.write(variables_.columns[column], first_row_,
                  all.subspan(column * shape_.chunk_rows * shape_.items, rows_ * shape_.items));
    }
  }

 private:
  Hdf5Writer& file_;
  const TableVariables& variables_;
  const BlockShape shape_;
  std::size_t first_row_ = 0, rows_ = 0;
  std::vector<double> time_s_;
  std::vector<double> bounds_s_;  ///< [row * 2]: begin and end
  std::vector<float> values_;
};

/// What is laid out in the file while the run goes on starting.
class Preparation : public WriterJob {
 public:
  explicit Preparation(std::function<void()> task) : task_(std::move(task)) {}
  void run() override { task_(); }

 private:
  std::function<void()> task_;
};

/// One block is filled while the other is written.
struct Table {
  TableVariables variables;
  std::size_t row_size = 0;  ///< columns x items
  std::size_t chunk_rows = 0;
  std::size_t rows = 0;  ///< appended so far
  double last_s = 0.0;   ///< time of the last of them
  std::vector<Block> blocks;
  std::size_t filling = 0;

  bool is_between_blocks() const { return rows % chunk_rows == 0; }
};

/// The folder is made where it is missing; a file in its place is named.
void make_folder_of(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) {
    throw FileError(fmt::format("cannot write {}: it is a folder", file.string()));
  }
  const fs::path folder = file.parent_path();
  for (fs::path above = folder; !above.empty() && above != above.parent_path(); above = above.parent_path()) {
    if (fs::exists(above, error) && !fs::is_directory(above, error)) {
      throw FileError(fmt::format("cannot write {}: {} is a file, not a folder", file.string(), above.string()));
    }
  }
  if (folder.empty()) return;
  fs::create_directories(folder, error);
  if (error && !fs::is_directory(folder)) {
    throw FileError(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  }
}

/// By which one sees that a file has been written or replaced; all zero where there is none.
struct FileStamp {
  std::uintmax_t node = 0, size = 0;
  std::int64_t seconds = 0, nanoseconds = 0;
  bool operator==(const FileStamp&) const = default;
};

FileStamp stamp_of(const fs::path& file) {
  struct stat found = {};
  if (stat(file.c_str(), &found) != 0) return {};
  return {found.st_ino, static_cast<std::uintmax_t>(found.st_size), found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

}  // namespace

class ResultsWriter::State {
 public:
  State(fs::path file, std::string start_iso, const fs::path& partial_of)
      : file_(std::move(file)), start_iso_(std::move(start_iso)) {
    make_folder_of(file_);
    lock_.emplace(file_);
    stamp_ = stamp_of(file_);
    partial_ = unfinished_name(partial_of.empty() ? file_ : partial_of, ".partial.h5");
    try {
      thread_.run([this] {
        hdf5_.emplace(partial_, lock_->has_locks());
        write_header(*hdf5_, start_iso_);
        events_ = add_events_group(*hdf5_, start_iso_);
      });
    } catch (...) {
      if (hdf5_) remove_partial();  // else it is not this run's
      throw;
    }
  }

  ~State() {
    try {
      close();
    } catch (...) {  // who wants to know whether the disk took it all calls finish or abandon
    }
    if (!is_sealed_) remove_partial();
  }

  std::size_t add_table(const TableSpec& spec) {
    auto table = std::make_unique<Table>();
    Hdf5Writer& file = open_file();
    prepare(
        [this, &file, &variables = table->variables, spec] { variables = add_table_group(file, spec, start_iso_); });
    table->row_size = spec.columns.size() * spec.item_count();
    table->chunk_rows = chunk_shape(spec)[0];
    for (int side = 0; side < 2; ++side) {
      table->blocks.emplace_back(file, table->variables,
                                 BlockShape{table->chunk_rows, spec.columns.size(), spec.item_count()});
    }
    tables_.push_back(std::move(table));
    return tables_.size() - 1;
  }

  void append(std::size_t number, double time_s, std::span<const float> values) {
    thread_.throw_if_failed();
    open_file();
    Table& table = *tables_.at(number);
    if (values.size() != table.row_size) {
      throw std::invalid_argument(
          fmt::format("a row of {} values, where the table has {}", values.size(), table.row_size));
    }
    if (log_ != nullptr) log_->add(number, time_s, values);
    Block& block = table.blocks[table.filling];
    if (table.is_between_blocks()) {
      thread_.wait(block);
      block.begin(table.rows);
    }
    block.add_row(table.rows == 0 ? time_s : table.last_s, time_s, values);
    table.last_s = time_s;
    ++table.rows;
    if (!table.is_between_blocks()) return;
    thread_.post(block);
    table.filling ^= 1;
  }

  void write_events(std::span<const EventRecord> events) {
    thread_.run([&] { write_event_rows(open_file(), events_, event_count_, events); });
    event_count_ += events.size();
  }

  void keep_rows(RowLog* log) { log_ = log; }

  /// For what is written before the first row; no one waits for it, and a failure is reported by the next call.
  void prepare(std::function<void()> task) {
    preparations_.push_back(std::make_unique<Preparation>(std::move(task)));
    thread_.post(*preparations_.back());
  }

  void write_layout(std::span<const LayoutBox> boxes) {
    prepare(
        [&file = open_file(), boxes = std::vector(boxes.begin(), boxes.end())] { write_layout_group(file, boxes); });
  }

  void write_topology(const Topology& topology) {
    prepare([&file = open_file(), topology] { write_topology_group(file, topology); });
  }

  void write_limits(std::span<const LimitRecord> limits) {
    write([&](Hdf5Writer& file) { write_limits_group(file, limits, start_iso_); });
  }
  void write_jobs(std::span<const JobOutcome> jobs) {
    write([&](Hdf5Writer& file) { write_jobs_group(file, jobs, start_iso_); });
  }
  void write_placements(std::span<const JobPlace> places) {
    write([&](Hdf5Writer& file) { write_placements_group(file, places, start_iso_); });
  }

  void write_months(std::span<const MonthRecord> months) {
    write([&](Hdf5Writer& file) { write_months_group(file, months, start_iso_); });
  }

  void write_throttles(const GpuThrottles& throttles) {
    write([&](Hdf5Writer& file) { write_throttles_group(file, throttles, start_iso_); });
  }

  /// For what is written once and at once.
  template <class Write>
  void write(const Write& write_to) {
    thread_.run([&] { write_to(open_file()); });
  }

  /// Rows that do not fill a chunk row go out as they are.
  void close() {
    if (!is_open_) return;
    is_open_ = false;
    thread_.run([this] {
      for (const auto& table : tables_) {
        const bool is_laid_out = !table->variables.columns.empty();  // not if that failed, which is reported
        if (is_laid_out && !table->is_between_blocks()) table->blocks[table->filling].run();
      }
      hdf5_->close();
      seal_results(partial_);
    });
    is_sealed_ = true;
  }

  void finish() {
    close();
    try {
      lock_->take_again();
    } catch (const FileError& error) {
      throw FileError(fmt::format("{}; this run is in {}", error.what(), partial_.string()));
    }
    if (stamp_of(file_) != stamp_) {
      throw FileError(fmt::format(
          "another process wrote {} in the meantime, and the file is not changed; the results of this run are in {}",
          file_.string(), partial_.string()));
    }
    give_name(partial_, file_, file_);
    lock_.reset();
  }

  const fs::path& partial() const { return partial_; }

 private:
  /// Of a file that the disk did not take nothing can be read, and it stands where there is no room.
  void remove_partial() {
    std::error_code ignored;
    fs::remove(partial_, ignored);
  }

  Hdf5Writer& open_file() {
    if (!is_open_) throw std::logic_error("results written after finish");
    return *hdf5_;
  }

  fs::path file_, partial_;
  FileStamp stamp_;  ///< of what stood there before
  std::string start_iso_;
  std::optional<OutputLock> lock_;
  bool is_open_ = true, is_sealed_ = false;
  RowLog* log_ = nullptr;
  std::optional<Hdf5Writer> hdf5_;
  EventVariables events_;
  std::size_t event_count_ = 0;
  std::vector<std::unique_ptr<Table>> tables_;
  std::vector<std::unique_ptr<Preparation>> preparations_;
  WriterThread thread_;  // last: it ends before what it works on
};

ResultsWriter::ResultsWriter(fs::path file, std::string start_iso, const fs::path& partial_of)
    : state_(std::make_unique<State>(std::move(file), std::move(start_iso), partial_of)) {}

ResultsWriter::~ResultsWriter() = default;

std::size_t ResultsWriter::add_table(const TableSpec& table) { return state_->add_table(table); }

void ResultsWriter::append(std::size_t table, double time_s, std::span<const float> values) {
  state_->append(table, time_s, values);
}

void ResultsWriter::keep_rows(RowLog* log) { state_->keep_rows(log); }

void ResultsWriter::write_events(std::span<const EventRecord> events) { state_->write_events(events); }

void ResultsWriter::write_layout(std::span<const LayoutBox> boxes) { state_->write_layout(boxes); }

void ResultsWriter::write_topology(const Topology& topology) { state_->write_topology(topology); }
void ResultsWriter::write_limits(std::span<const LimitRecord> limits) { state_->write_limits(limits); }
void ResultsWriter::write_jobs(std::span<const JobOutcome> jobs) { state_->write_jobs(jobs); }
void ResultsWriter::write_placements(std::span<const JobPlace> places) { state_->write_placements(places); }

void ResultsWriter::write_months(std::span<const MonthRecord> months) { state_->write_months(months); }

void ResultsWriter::write_throttles(const GpuThrottles& throttles) { state_->write_throttles(throttles); }

void ResultsWriter::write_summary(std::span<const NamedValue> values) {
  state_->write([&](Hdf5Writer& file) { write_value_group(file, "summary", values); });
}

void ResultsWriter::write_provenance(std::span<const NamedValue> values) {
  state_->write([&](Hdf5Writer& file) {
    write_origin(file, values);
    write_value_group(file, "provenance", values);
  });
}

const fs::path& ResultsWriter::partial() const { return state_->partial(); }

void ResultsWriter::finish() { state_->finish(); }

fs::path ResultsWriter::abandon() {
  state_->close();
  return state_->partial();
}

}  // namespace wattloop::twin
