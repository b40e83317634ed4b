#include "api/engine/snapshots.hpp"

#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include "core/numbers/instruction_level.hpp"
#include "core/text/problem.hpp"
#include "twin/actions/weather/timeline.hpp"
#include "twin/platform/system_file.hpp"
#include "twin/platform/version.hpp"
#include "twin/run/recording/archive.hpp"

namespace wattloop::engine {

namespace {

constexpr std::string_view head = "wattloop hall 3\n";
constexpr std::int64_t kept_every_windows =
    120;  // ten minutes of five-second windows: a twentieth of a second to go there again

template <class Way>
void list(twin::Archive<Way>& archive, Snapshot& snapshot) {
  archive(snapshot.origin.program, snapshot.origin.integrator, snapshot.origin.inputs, snapshot.file, snapshot.scenario,
          snapshot.acts, snapshot.watts_s, snapshot.watts_w);
  bool has_checkpoint = snapshot.checkpoint.has_value();
  archive(has_checkpoint);
  if (has_checkpoint) {
    if (!snapshot.checkpoint) snapshot.checkpoint.emplace();
    archive(snapshot.checkpoint->checkpoint, snapshot.checkpoint->gathered);
  }
  archive(snapshot.stops_s);
}

}  // namespace

std::string this_program() {
  return fmt::format("{}, commit {}, instructions {}", twin::version(), twin::commit(), instructions());
}

std::string bytes_of(Snapshot snapshot) {
  twin::Archive<twin::Saving> archive;
  list(archive, snapshot);
  const std::string& content = archive.way().bytes;
  const std::uint32_t checksum = twin::checksum_of(content);
  std::string bytes(head);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  return bytes + content;
}

Snapshot snapshot_of(std::string_view bytes) {
  std::uint32_t checksum = 0;
  if (!bytes.starts_with(head) || bytes.size() < head.size() + sizeof checksum)
    throw FileError("the bytes are no snapshot of a hall by this version of the library");
  std::memcpy(&checksum, bytes.data() + head.size(), sizeof checksum);
  const std::string_view content = bytes.substr(head.size() + sizeof checksum);
  if (twin::checksum_of(content) != checksum) throw FileError("the snapshot is damaged");
  Snapshot snapshot;
  twin::Archive<twin::Loading> archive(twin::Loading{content});
  try {
    archive(snapshot.origin.program);
    if (snapshot.origin.program != this_program())
      throw FileError(fmt::format(
          "the snapshot is of another library ({}); this one is {}. Where libraries differ, run its scenario",
          snapshot.origin.program, this_program()));
    archive = twin::Archive<twin::Loading>(twin::Loading{content});
    list(archive, snapshot);
  } catch (const std::out_of_range&) {
    throw FileError("the snapshot is damaged");
  } catch (const std::length_error&) {
    throw FileError("the snapshot is damaged");
  }
  return snapshot;
}

double reached_by(const Snapshot& snapshot, const twin::Scenario& scenario) {
  if (!snapshot.stops_s.empty()) return snapshot.stops_s.back();
  if (snapshot.checkpoint) return snapshot.checkpoint->checkpoint.state.time_s;
  return scenario.begin_at ? scenario.begin_at->at_s : 0.0;
}

void SnapshotKeeper::observe(const twin::PlantState& state, const twin::Evaluation&) {
  if (!twin::is_multiple(state.time_s, twin::checkpoint_interval_s)) return;
  const std::int64_t windows = run_.simulation().solver_statistics().windows;
  if (kept_ && windows > 0 && windows < kept_windows_ + kept_every_windows) return;
  kept_ = run_.checkpoint(false);
  kept_windows_ = windows;
  std::erase_if(stops_s_, [&](double stop_s) { return stop_s <= state.time_s; });
}

Snapshot SnapshotKeeper::snapshot() const {
  Snapshot snapshot;
  snapshot.checkpoint = kept_;
  snapshot.stops_s = stops_s_;
  return snapshot;
}

void SnapshotKeeper::take(const Snapshot& snapshot) {
  kept_ = snapshot.checkpoint;
  kept_windows_ = 0;
  stops_s_.clear();
}

}  // namespace wattloop::engine
