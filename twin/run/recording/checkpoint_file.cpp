#include "twin/run/recording/checkpoint_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/build/floor/rack_plan.hpp"
#include "twin/document/document.hpp"
#include "twin/platform/system_file.hpp"
#include "twin/platform/whole_file.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/run/recording/archive.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

constexpr std::string_view head = "wattloop checkpoint 9\n";

template <class Way>
void list(Archive<Way>& archive, CheckpointFile& file) {
  auto& [scenario, inputs, program, isa, integrator, tolerance, asked, output, overrides, limits, log_bytes] =
      file.origin;
  archive(scenario, inputs, program, isa, integrator, tolerance, asked, output, overrides, limits, log_bytes);
  archive(file.checkpoint, file.gathered, file.recorded);
}

template <class Way>
void list(Archive<Way>& archive, const RunObservers& observers) {
  observers.statistics.keep(archive);
  observers.watch.keep(archive);
  bool has_losses = observers.losses != nullptr;
  archive(has_losses);                                                             // as they are in the file
  if (has_losses && observers.losses != nullptr) observers.losses->keep(archive);  // the last: may be left unread
}

[[noreturn]] void refuse(const Scenario& scenario, std::string message, std::string hint) {
  const Mention& at = scenario.begin_at->mention;
  throw InputError({{at.place, std::move(message), std::move(hint), at.excerpt}}, scenario.file);
}

/// What a scenario may have otherwise than the run that it goes on from.
const std::set<std::string> free_keys{"title", "duration", "initial", "record", "events"};

double time_of(const Node& event) {
  const Node* at = find(event, "at");
  try {
    return at != nullptr ? to_si(at->text, "s") : 0.0;
  } catch (const QuantityError&) {
    return 0.0;
  }
}

/// Events up to an instant.
std::vector<const Node*> events_until(const Node& root, double time_s) {
  std::vector<const Node*> events;
  const Node* list = find(root, "events");
  if (list == nullptr) return events;
  for (const Node& event : list->items) {
    if (time_of(event) <= time_s) events.push_back(&event);
  }
  return events;
}

/// What a hall had otherwise before the checkpoint: "hall", "events"; empty where nothing.
std::string difference(const std::string& before, const std::string& now, double time_s) {
  Problems ignored;
  const Node a = read_document_text(before, "the checkpoint", ignored);
  const Node b = read_document_text(now, "the scenario", ignored);
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (const Entry& entry : one->entries) {
      if (free_keys.contains(entry.key.text)) continue;
      const Node* same = find(*other, entry.key.text);
      if (same == nullptr || !same_content(entry.value, *same)) return entry.key.text;
    }
  }
  const auto is_same = [](const Node* x, const Node* y) { return same_content(*x, *y); };
  return std::ranges::equal(events_until(a, time_s), events_until(b, time_s), is_same) ? "" : "events";
}

/// Racks that clog have branches of their own from the start.
std::vector<std::string> clogged_before(const std::string& before, Scenario scenario) {
  Problems ignored;
  const Node root = read_document_text(before, "the checkpoint", ignored);
  scenario.events.clear();
  if (const Node* list = find(root, "events")) events_key(scenario.events).read(*list, ignored);
  return clogged_racks(scenario);
}

}  // namespace

void write_checkpoint(const std::filesystem::path& file, CheckpointFile content) {
  Archive<Saving> archive;
  list(archive, content);
  const std::uint32_t checksum = checksum_of(archive.way().bytes);
  WholeFile whole(file);
  whole.write(head);
  whole.write({reinterpret_cast<const char*>(&checksum), sizeof checksum});
  whole.write(archive.way().bytes);
  whole.finish();
}

bool is_checkpoint(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error) || std::filesystem::file_size(file, error) < head.size())
    return false;
  const SystemFile open(file, SystemFile::Access::read);
  std::array<char, 32> text{};
  open.read(std::span(text).first(head.size()), 0);
  return std::string_view(text.data(), head.size()).starts_with(head.substr(0, head.size() - 2));
}

CheckpointFile read_checkpoint(const std::filesystem::path& file) {
  const SystemFile open(file, SystemFile::Access::read);
  std::string text(open.size(), '\0');
  open.read(text, 0);
  std::uint32_t checksum = 0;
  if (!text.starts_with(head) || text.size() < head.size() + sizeof checksum)
    throw FileError(fmt::format("{} is no checkpoint of this Wattloop", file.string()));
  std::memcpy(&checksum, text.data() + head.size(), sizeof checksum);
  const std::string_view bytes = std::string_view(text).substr(head.size() + sizeof checksum);
  if (checksum_of(bytes) != checksum) throw FileError(fmt::format("{} is damaged", file.string()));
  CheckpointFile content;
  Archive<Loading> archive(Loading{bytes});
  try {
    list(archive, content);
  } catch (const std::out_of_range&) {
    throw FileError(fmt::format("{} is damaged", file.string()));
  }
  return content;
}

CheckpointFile checkpoint_of(const Simulation& simulation, const RunObservers& observers) {
  CheckpointFile file{.checkpoint = simulation.checkpoint()};
  Archive<Saving> gathered, recorded;
  list(gathered, observers);
  file.gathered = gathered.way().bytes;
  if (observers.recorder != nullptr) {
    observers.recorder->keep(recorded);
    file.recorded = recorded.way().bytes;
  }
  return file;
}

void take_up(const CheckpointFile& from, const std::filesystem::path& file, Simulation& simulation,
             const RunObservers& observers) {
  try {
    Archive<Loading> gathered(Loading{from.gathered}), recorded(Loading{from.recorded});
    list(gathered, observers);
    if (observers.recorder != nullptr && !from.recorded.empty()) observers.recorder->keep(recorded);
    simulation.resume(from.checkpoint);
  } catch (const std::logic_error&) {
    throw FileError(fmt::format("{} is of another hall", file.string()));
  }
}

void begin_run(const Scenario& scenario, Simulation& simulation, const RunObservers& observers) {
  if (!scenario.begin_at) return simulation.start();
  const BeginAt& begin = *scenario.begin_at;
  const std::string at = format_quantity(begin.at_s, "s");
  if (is_results_file(begin.file))
    refuse(scenario, fmt::format("'{}' contains results, but no checkpoint at {}", begin.file, at),
           fmt::format("run it again with --save-at '{}', and give the file that this run writes", at));
  if (!is_checkpoint(begin.file)) refuse(scenario, fmt::format("'{}' is no checkpoint", begin.file), {});
  CheckpointFile file = read_checkpoint(begin.file);
  const double saved_s = file.checkpoint.state.time_s;
  if (saved_s != begin.at_s)
    refuse(scenario,
           fmt::format("'{}' contains the run at {}, not at {}", begin.file, format_quantity(saved_s, "s"), at),
           fmt::format("at: {}", format_quantity(saved_s, "s")));
  const std::string other = difference(file.origin.scenario, scenario.resolved_text, saved_s);
  if (other == "events")
    refuse(scenario, fmt::format("'{}' had other events up to {}", begin.file, at), "give new events a later time");
  if (!other.empty())
    refuse(
        scenario, fmt::format("'{}' belongs to a scenario with another '{}'", begin.file, other),
        "keep the scenario before the checkpoint the same: only title, duration, record and later events may differ");
  if (clogged_before(file.origin.scenario, scenario) != clogged_racks(scenario))
    refuse(scenario, fmt::format("the run that wrote '{}' has other racks that clog", begin.file),
           "give that run the same `clog` event, with a time after its end");
  if (saved_s >= scenario.duration_s)
    refuse(scenario, fmt::format("the run ends before {}", at), "a longer `duration`");
  file.recorded.clear();  // its tables begin here
  take_up(file, begin.file, simulation, observers);
}

}  // namespace wattloop::twin
