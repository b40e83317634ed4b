#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "twin/document/field_reader.hpp"
#include "twin/document/map_reader.hpp"
#include "twin/study/plan/chosen_runs.hpp"
#include "twin/study/plan/distribution_reader.hpp"
#include "twin/study/plan/study.hpp"
#include "twin/study/plan/study_fork.hpp"
#include "twin/study/plan/study_values.hpp"

namespace wattloop::twin {

namespace {

constexpr FieldInfo steps_info{"steps", "", Range::positive, "Number of values of the range, including both ends.", {}};
constexpr FieldInfo seed_info{
    "seed", "", Range::non_negative, "Seed of the draws: the same seed draws the same values.", {}};

/// Columns of every table, which no change may be called.
const std::vector<std::string> taken_names{"run", "exit_code", "message"};

int read_count(MapReader& reader, const FieldInfo& info, int otherwise) {
  const Node* node = otherwise < 0 ? reader.require(info.name, std::string(info.doc)) : reader.find(info.name);
  int count = otherwise;
  if (node != nullptr && !node->is_null()) read_field(*node, {&count, info}, reader.problems());
  return std::max(count, 0);
}

/// How many there may be is said of all runs together.
int read_runs(MapReader& reader) {
  constexpr double most = 2e9;
  const Node* node = reader.require("runs", "how many runs are drawn");
  if (node == nullptr) return 0;
  const auto number = written_number(node->text);
  if (number && number->unit.empty() && number->number >= 1.0 && number->number == std::floor(number->number))
    return static_cast<int>(std::min(number->number, most));
  reader.problems().add(
      problem_at(*node, fmt::format("runs: {} is not a whole number of at least 1", describe(*node))));
  return 0;
}

bool read_flag(MapReader& reader, const char* key) {
  bool flag = false;
  const Node* node = reader.find(key);
  if (node != nullptr && !node->is_null())
    read_field(*node, {&flag, {key, "", Range::any, "Whether one more run has all parts in service.", {}}},
               reader.problems());
  return flag;
}

std::optional<StudyRange> read_range(const Node& node, Problems& problems) {
  MapReader reader(node, "range", problems);
  if (!reader.is_map()) return {};
  const std::size_t before = problems.size();
  const Node* from = reader.require("from", "the first value");
  const Node* to = reader.require("to", "the last value");
  StudyRange range;
  range.steps = read_count(reader, steps_info, 0);
  reader.report_unknown_keys();
  if (from == nullptr || to == nullptr || problems.size() > before) return {};
  const auto first = written_number(from->text), last = written_number(to->text);
  for (const auto& [end, number] : {std::pair(from, first), std::pair(to, last)}) {
    if (!number) problems.add(problem_at(*end, fmt::format("range: {} is no number with its unit", describe(*end))));
  }
  if (!first || !last) return {};
  if (first->unit != last->unit) {
    problems.add(
        problem_at(*to, fmt::format("range: from '{}' to '{}'", from->text, to->text), "write both ends in one unit"));
    return {};
  }
  if (first->number == last->number || range.steps == 1) {
    problems.add(
        problem_at(node, "the range is empty",
                   range.steps == 1 ? "write two steps at least: the ends of the range" : "its ends are the same"));
    return {};
  }
  range.from = first->number;
  range.to = last->number;
  range.unit = first->unit;
  return range;
}

/// What a change moves: paths, or an event.
void read_moved(MapReader& reader, StudyChange& change) {
  const Node* path = reader.find("path");
  const Node* event = reader.find("event");
  if ((path == nullptr) == (event == nullptr)) {
    reader.problems().add(
        problem_at(reader.node(),
                   fmt::format("{} {}", reader.subject(), path ? "has both a path and an event" : "changes nothing"),
                   "write one of: path, event"));
    return;
  }
  if (path != nullptr) {
    for (const Node& text : texts_of(*path, "path", reader.problems())) change.paths.push_back(text.text);
  } else if (event->is_map()) {
    change.event = *event;
  } else {
    reader.problems().add(problem_at(*event, fmt::format("event is {}, expected a map", describe(*event)),
                                     "write event: { at: 60 s, fail: value }, of: \"cdu_*\""));
  }
}

void check_lists(const StudyChange& change, Problems& problems) {
  if (change.paths.size() < 2) return;
  for (const Node& value : change.values) {
    if (value.is_sequence() && value.items.size() != change.paths.size())
      problems.add(problem_at(value, fmt::format("{} values for {} paths", value.items.size(), change.paths.size()),
                              "write a list with one value for each path, in their order"));
  }
}

StudyChange read_change(const Entry& entry, Problems& problems) {
  StudyChange change{.name = entry.key.text, .written = entry.value};
  MapReader reader(entry.value, "change " + change.name, problems);
  if (!reader.is_map()) return change;
  read_moved(reader, change);
  int given = 0;
  if (const Node* values = reader.find("values")) {
    ++given;
    change.values = list_of(*values, "values", problems);
    check_lists(change, problems);
  }
  if (const Node* range = reader.find("range")) {
    ++given;
    change.range = read_range(*range, problems);
  }
  if (const Node* distribution = reader.find("distribution")) {
    ++given;
    change.distribution = read_distribution(*distribution, problems);
  }
  if (const Node* of = reader.find("of")) {
    ++given;
    change.of = texts_of(*of, "of", problems);
    if (reader.find("path") != nullptr)
      problems.add(problem_at(*of, "`of` names parts; a change of parts is an event and has no path",
                              "write event: instead of path:"));
  }
  if (given != 1)
    problems.add(problem_at(entry.value,
                            fmt::format("{} has {} values", reader.subject(), given == 0 ? "no" : "several kinds of"),
                            "write one of: values, range, distribution, of"));
  reader.report_unknown_keys();
  return change;
}

void read_changes(const Node& map, Study& study, Problems& problems) {
  if (!map.is_map()) {
    problems.add(problem_at(map, fmt::format("changes is {}, expected a map of changes by name", describe(map))));
    return;
  }
  for (const Entry& entry : map.entries) {
    if (!is_name(entry.key.text) || std::ranges::count(taken_names, entry.key.text) > 0)
      problems.add(problem_at(
          entry.key, fmt::format("'{}' is not a valid name for a change", entry.key.text),
          "begin with a letter and use letters, digits and _ only; run, exit_code and message are reserved"));
    study.changes.push_back(read_change(entry, problems));
  }
}

/// The tree below `combine`.
class CombinationReader {
 public:
  CombinationReader(const Study& study, Problems& problems) : problems_(problems) {
    for (const StudyChange& change : study.changes) names_.push_back(change.name);
  }

  Combination read(const Node& node) {
    Combination made{.written = node};
    if (node.is_scalar()) {
      made.kind = Combination::Kind::change;
      made.change = node.text;
      if (std::ranges::find(names_, node.text) == names_.end())
        problems_.add(
            problem_at(node, fmt::format("there is no change '{}'", node.text), nearest_hint(node.text, names_)));
    } else if (node.is_sequence() && !node.items.empty()) {
      for (const Node& item : node.items) made.items.push_back(read(item));
    } else if (node.is_map() && node.entries.size() == 1) {
      read_kind(node.entries.front(), made);
    } else {
      problems_.add(problem_at(node, fmt::format("combine: {} combines nothing", describe(node)),
                               "write the name of a change, a list of names, or one of: grid, together, "
                               "latin_hypercube, random, each_part, each_pair, maintain_each"));
    }
    return made;
  }

 private:
  void read_kind(const Entry& entry, Combination& made) {
    using Kind = Combination::Kind;
    static const std::vector<std::pair<std::string, Kind>> kinds{{"grid", Kind::grid},
                                                                 {"together", Kind::together},
                                                                 {"latin_hypercube", Kind::latin_hypercube},
                                                                 {"random", Kind::random},
                                                                 {"each_part", Kind::each_part},
                                                                 {"each_pair", Kind::each_pair},
                                                                 {"maintain_each", Kind::maintain_each}};
    const auto kind = std::ranges::find(kinds, entry.key.text, &std::pair<std::string, Kind>::first);
    if (kind == kinds.end()) {
      std::vector<std::string> known;
      for (const auto& [name, ignored] : kinds) known.push_back(name);
      problems_.add(problem_at(entry.key, fmt::format("combine has no method '{}'", entry.key.text),
                               nearest_hint(entry.key.text, known)));
      return;
    }
    made.kind = kind->second;
    if (made.kind == Kind::grid || made.kind == Kind::together) {
      for (const Node& item : list_of(entry.value, entry.key.text, problems_)) made.items.push_back(read(item));
    } else if (made.kind == Kind::latin_hypercube || made.kind == Kind::random) {
      read_samples(entry, made);
    } else {
      read_parts(entry, made);
    }
  }

  void read_samples(const Entry& entry, Combination& made) {
    MapReader reader(entry.value, entry.key.text, problems_);
    if (!reader.is_map()) return;
    made.runs = read_runs(reader);
    made.seed = read_count(reader, seed_info, 1);
    if (const Node* of = reader.find("of")) {
      for (const Node& name : texts_of(*of, "of", problems_)) made.items.push_back(read(name));
    } else {
      for (const std::string& name : names_)
        made.items.push_back({.kind = Combination::Kind::change, .change = name, .written = entry.value});
    }
    reader.report_unknown_keys();
  }

  StudyOutage read_outage(MapReader& reader, std::string column) {
    StudyOutage outage{.column = std::move(column)};
    if (const Node* event = reader.find("event")) {
      outage.event = *event;
    } else {
      outage.event = reader.node();
      outage.event.kind = Node::Kind::scalar;
      outage.event.text = "fail";
    }
    if (const Node* of = reader.require("of", "patterns of parts: \"cdu_*\""))
      outage.of = texts_of(*of, "of", problems_);
    for (const char* key : {"at", "for"}) {
      const Node* value =
          std::string_view(key) == "at" ? reader.require(key, "time after the start") : reader.find(key);
      if (value == nullptr) continue;
      Node name = *value;
      name.text = key;
      outage.times.push_back({std::move(name), *value});
    }
    outage.has_none = read_flag(reader, "or_none");
    return outage;
  }

  void read_parts(const Entry& entry, Combination& made) {
    MapReader reader(entry.value, entry.key.text, problems_);
    if (!reader.is_map()) return;
    const bool is_maintained = made.kind == Combination::Kind::maintain_each;
    made.outage = read_outage(reader, is_maintained ? "maintained" : "part");
    if (is_maintained) {
      if (const Node* then = reader.require(
              "then", "write the parts that fail during this time: { event: fail, of: \"cdu_*\", at: 60 s }")) {
        MapReader inner(*then, "then", problems_);
        if (inner.is_map()) made.then = read_outage(inner, "part");
        inner.report_unknown_keys();
      }
    }
    reader.report_unknown_keys();
  }

  Problems& problems_;
  std::vector<std::string> names_;
};

void read_keep(const Node& node, Study& study, Problems& problems) {
  for (const Node& item : list_of(node, "keep", problems)) {
    if (item.is_scalar() && reports_whole_results(item.text)) {
      if (!study.whole.is_null())
        problems.add(problem_at(item, "keep has two items that choose the runs with complete results"));
      study.whole = item;
    } else if (item.is_scalar()) {
      study.keep.push_back({.name = item.text, .written = item});
    } else if (item.is_map() && item.entries.size() == 1 && item.entries.front().value.is_scalar()) {
      study.keep.push_back({item.entries.front().key.text, item.entries.front().value.text, item});
    } else {
      problems.add(problem_at(item, fmt::format("keep: {} is not a figure", describe(item)),
                              "write its name, or a map of name and unit: peak_die_temperature: degC"));
    }
  }
}

/// `integrator:`.
RunMethod read_method(const Node& node, Problems& problems) {
  static const std::vector<std::string> integrators{"multirate", "monolithic"};
  if (node.is_scalar() && std::ranges::count(integrators, node.text) > 0) return {.integrator = node.text};
  const std::string hint = node.is_scalar() ? nearest_hint(node.text, integrators) : std::string();
  problems.add(problem_at(node, fmt::format("integrator is {}, expected multirate or monolithic", describe(node)),
                          hint.empty() ? "wattloop run --integrator takes the same names" : hint));
  return {};
}

/// Only a memory that can be copied is shared by runs.
void check_method(const Study& study, Problems& problems) {
  if (!study.fork || study.method.can_fork()) return;
  problems.add(problem_at(study.fork->written,
                          fmt::format("fork: runs of the {} integrator share nothing", study.method.integrator),
                          "delete `fork`, or delete `integrator`"));
}

Combination grid_of_all(const Study& study, const Node& written) {
  Combination grid{.written = written};
  for (const StudyChange& change : study.changes)
    grid.items.push_back({.kind = Combination::Kind::change, .change = change.name, .written = change.written});
  return grid;
}

/// Such a search makes no run, so that nothing is changed or kept.
bool is_for_plans(const Node* search) {
  return search != nullptr && search->is_map() &&
         std::ranges::any_of(search->entries, [](const Entry& entry) { return entry.key.text == "plans"; });
}

Study study_of(const Node& root, const std::filesystem::path& file, Problems& problems) {
  Study study{.file = file, .title = file.stem().string(), .text = document_text(root)};
  MapReader reader(root, "study", problems);
  if (!reader.is_map()) return study;
  if (const Node* title = reader.find("title"); title != nullptr && title->is_scalar()) study.title = title->text;
  const Node* base = reader.require("base", "the scenario that the runs are made of: ../one_rack.yaml");
  study.base = read_file_name(base, "base", problems);
  study.fixed = read_fixed(reader.find("set"), reader.find("events"), problems);
  if (const Node* changes = reader.find("changes")) read_changes(*changes, study, problems);
  const Node* combine = reader.find("combine");
  const Node* search = reader.find("search");
  if (combine == nullptr && study.changes.empty() && !is_for_plans(search)) {
    problems.add(problem_at(root, "the study changes nothing", "write changes, or parts: combine: { each_part: ... }"));
  }
  study.combine = combine == nullptr ? grid_of_all(study, root) : CombinationReader(study, problems).read(*combine);
  const Node* keep = reader.find("keep");
  if (keep == nullptr && !is_for_plans(search))
    keep = reader.require("keep", "figures of the summary, named as in wattloop run --json");
  if (keep != nullptr) read_keep(*keep, study, problems);
  if (const Node* fork = reader.find("fork")) study.fork = read_fork(*fork, problems);
  if (const Node* integrator = reader.find("integrator")) study.method = read_method(*integrator, problems);
  check_method(study, problems);
  if (const Node* limits = reader.find("limits")) study.limits = texts_of(*limits, "limits", problems);
  if (search != nullptr) study.search = *search;
  reader.report_unknown_keys();
  return study;
}

}  // namespace

std::optional<WrittenNumber> written_number(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(number)) return {};
  std::string unit(end);
  unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
  if (unit.find_first_of("0123456789") == 0) return {};
  if (text.starts_with("0x") || text.find(':') != std::string::npos) return {};
  return WrittenNumber{number, std::move(unit)};
}

Study read_study(const std::filesystem::path& file, Problems& problems) {
  return study_of(read_document(file, problems), file, problems);
}

Study read_study_text(std::string_view text, const std::filesystem::path& name, Problems& problems) {
  return study_of(read_document_text(text, name.string(), problems), name, problems);
}

}  // namespace wattloop::twin
