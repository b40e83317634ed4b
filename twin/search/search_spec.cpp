#include "twin/search/search_spec.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "core/units/units.hpp"
#include "twin/document/field_reader.hpp"
#include "twin/document/map_reader.hpp"
#include "twin/study/plan/mover.hpp"

namespace wattloop::twin {

namespace {

using Kind = SearchSpec::Kind;

constexpr FieldInfo probes_info{"probes",
                                "",
                                Range::non_negative,
                                "Number of further trials that check whether the limit is crossed only once.",
                                {}};
constexpr FieldInfo samples_info{"samples",
                                 "",
                                 Range::positive,
                                 "Number of samples; the number of runs is this times the number of changes plus 2.",
                                 {}};
constexpr FieldInfo seed_info{
    "seed", "", Range::non_negative, "Seed of the draws: the same seed draws the same values.", {}};

const std::vector<std::pair<std::string, Kind>> kinds{{"largest", Kind::largest},   {"smallest", Kind::smallest},
                                                      {"minimise", Kind::minimise}, {"maximise", Kind::maximise},
                                                      {"tornado", Kind::tornado},   {"sobol", Kind::sobol}};

/// The size of a difference in `unit`, in `of`: 0.25 K in degC. Throws QuantityError.
double difference_in(const WrittenNumber& written, const std::string& of) {
  if (of == "degC" || of == "degF" || of == "K")
    return to_si(written.number, written.unit, "delta_K") / (of == "degF" ? 5.0 / 9.0 : 1.0);
  if (written.unit == of) return written.number;
  if (of.empty() || written.unit.empty())
    throw QuantityError(
        fmt::format("'{}' is not in the unit of the range, '{}'", with_unit(written.number, written.unit), of),
        "write both in one unit");
  return to_si(written.number, written.unit, of) / to_si(1.0, of, of);
}

class SearchReader {
 public:
  SearchReader(const Study& study, Problems& problems)
      : study_(study), problems_(problems), reader_(study.search, "search", problems) {}

  SearchSpec read() {
    spec_.written = study_.search;
    if (!reader_.is_map() || !read_kind()) return spec_;
    if (spec_.is_of_families()) {
      read_one_change();
    } else {
      read_several();
    }
    reader_.report_unknown_keys();
    return spec_;
  }

 private:
  void add(const Node& node, std::string message, std::string hint = {}) {
    problems_.add(problem_at(node, std::move(message), std::move(hint)));
  }

  bool read_kind() {
    int found = 0;
    for (const auto& [name, kind] : kinds) {
      const Node* node = reader_.find(name);
      if (node == nullptr) continue;
      ++found;
      spec_.kind = kind;
      sought_ = node;
    }
    if (found != 1)
      add(study_.search, fmt::format("search seeks {}", found == 0 ? "nothing" : "several things"),
          "write one of: largest, smallest, minimise, maximise, tornado, sobol, plans");
    return found == 1;
  }

  const StudyChange* change_of(const Node& node) {
    const auto found = std::ranges::find(study_.changes, node.text, &StudyChange::name);
    if (node.is_scalar() && found != study_.changes.end()) return &*found;
    std::vector<std::string> names;
    for (const StudyChange& change : study_.changes) names.push_back(change.name);
    add(node, fmt::format("there is no change {}", describe(node)), nearest_hint(node.text, names));
    return nullptr;
  }

  void read_one_change() {
    const bool is_optimum = spec_.kind == Kind::minimise || spec_.kind == Kind::maximise;
    const Node* moved = sought_;
    if (is_optimum) {
      read_figure();
      moved = reader_.require("over", "the change whose values are tried");
    } else if (study_.limits.empty()) {
      add(*sought_, "the search has no limit", "write limits: [ \"peak_die_temperature <= 85 degC\" ]");
    }
    if (!is_optimum) read_number(probes_info, spec_.probes);
    if (spec_.probes > 50) add(study_.search, "probes: write at most 50");
    const Node *tolerance = reader_.find("tolerance"), *step = is_optimum ? nullptr : reader_.find("step");
    const StudyChange* change = moved == nullptr ? nullptr : change_of(*moved);
    if (change == nullptr) return;
    spec_.changes = {change->name};
    if (change->range) {
      read_range(*change, tolerance, step, is_optimum);
    } else {
      read_list(*change, tolerance, step, is_optimum);
    }
  }

  void read_figure() {
    spec_.figure = sought_->text;
    std::vector<std::string> names;
    for (const StudyFigure& figure : study_.keep) names.push_back(figure.name);
    if (std::ranges::find(names, spec_.figure) == names.end())
      add(*sought_, fmt::format("'{}' is not a figure under `keep`", spec_.figure), nearest_hint(spec_.figure, names));
  }

  void read_number(const FieldInfo& info, int& number) {
    const Node* node = reader_.find(info.name);
    if (node != nullptr && !node->is_null()) read_field(*node, {&number, info}, problems_);
  }

  /// A difference of the change's values; 0 where it is wrong.
  double difference(const Node& node, const std::string& unit, const char* what) {
    const auto written = written_number(node.text);
    if (!node.is_scalar() || !written || !(written->number > 0.0)) {
      add(node, fmt::format("{}: {} is no number above 0 with its unit", what, describe(node)));
      return 0.0;
    }
    try {
      return difference_in(*written, unit);
    } catch (const QuantityError& error) {
      add(node, fmt::format("{}: {}", what, error.what()), error.hint);
    }
    return 0.0;
  }

  void read_range(const StudyChange& change, const Node* tolerance, const Node* step, bool is_optimum) {
    const StudyRange& range = *change.range;
    spec_.low = std::min(range.from, range.to);
    spec_.high = std::max(range.from, range.to);
    if (range.steps > 0)
      add(change.written, fmt::format("the range of '{}' has steps, but a search chooses its own values", change.name),
          "write search: { step: ... }, or a tolerance");
    if (tolerance != nullptr) spec_.tolerance = difference(*tolerance, range.unit, "tolerance");
    if (step != nullptr) spec_.step = difference(*step, range.unit, "step");
    if ((tolerance == nullptr) == (step == nullptr))
      add(study_.search, tolerance == nullptr ? "search has no tolerance" : "search has a tolerance and a step",
          is_optimum ? "write tolerance: 0.5 K" : "write one of: tolerance: 0.25 K, step: 1 K");
    const double width = spec_.high - spec_.low;
    if (tolerance != nullptr && spec_.tolerance > width)
      add(*tolerance, "the tolerance is larger than the range",
          "write a smaller tolerance: the search would end at once");
    if (step != nullptr && spec_.step > 0.0 && std::abs(std::round(width / spec_.step) - width / spec_.step) > 1e-6)
      add(*step, fmt::format("steps of {} do not end at the end of the range", step->text),
          "write a range of a whole number of steps");
  }

  void read_list(const StudyChange& change, const Node* tolerance, const Node* step, bool is_optimum) {
    for (const Node* node : {tolerance, step}) {
      if (node != nullptr)
        add(*node, fmt::format("'{}' has a list of values, so it needs neither tolerance nor step", change.name));
    }
    if (is_optimum)
      add(change.written, fmt::format("'{}' has a list of values", change.name),
          "write a range for the change: an optimum is searched in a range");
    if (!change.of.empty() || change.values.size() < 2)
      add(change.written, fmt::format("the values of '{}' have no order", change.name),
          "give a range, or a list of at least two values");
    spec_.is_list = true;
    spec_.step = 1.0;
    spec_.high = static_cast<double>(std::max<std::size_t>(change.values.size(), 2)) - 1.0;
  }

  void read_several() {
    const std::vector<Node> names = sought_->is_sequence() ? sought_->items : std::vector{*sought_};
    for (const Node& name : names) {
      const StudyChange* change = change_of(name);
      if (change == nullptr) continue;
      if (std::ranges::count(spec_.changes, change->name) > 0)
        add(name, fmt::format("'{}' is named twice", change->name));
      spec_.changes.push_back(change->name);
      if (!change->range && !change->distribution && change->values.size() < 2)
        add(change->written, fmt::format("'{}' has fewer than two values", change->name),
            "write a range, a distribution, or a list of two or more values");
    }
    if (spec_.kind == Kind::sobol) {
      int seed = 1;
      read_number(samples_info, spec_.samples);
      read_number(seed_info, seed);
      spec_.seed = static_cast<std::uint64_t>(seed);
      if (spec_.samples < 2) add(study_.search, "samples: write at least 2");
      if (std::abs(spec_.samples) > 1'000'000) add(study_.search, "more than a million samples");
    }
    for (const StudyChange& change : study_.changes) {
      if (std::ranges::count(spec_.changes, change.name) == 0)
        add(change.written, fmt::format("search does not move '{}'", change.name), "each change is moved once");
    }
    for (const Combination& item : study_.combine.items) {
      if (item.kind != Combination::Kind::change)
        add(item.written, "`combine` has no effect with this kind of search", "delete combine");
    }
  }

  const Study& study_;
  Problems& problems_;
  MapReader reader_;
  const Node* sought_ = nullptr;
  SearchSpec spec_;
};

}  // namespace

SearchSpec read_search(const Study& study, Problems& problems) {
  if (study.search.is_null()) {
    problems.add({{study.file.string(), 0, 0},
                  "the study has no search",
                  "write search: { largest: supply, tolerance: 0.25 K }, or use wattloop study",
                  {}});
    return {};
  }
  return SearchReader(study, problems).read();
}

}  // namespace wattloop::twin
