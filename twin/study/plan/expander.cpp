// expand(): movers and axes of a study.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "twin/study/draws/samples.hpp"
#include "twin/study/plan/chosen_parts.hpp"
#include "twin/study/plan/expander.hpp"
#include "twin/study/plan/mover.hpp"

namespace wattloop::twin {

namespace {

/// Builds movers and axes; what is wrong goes to `problems`.
class Expander {
 public:
  Expander(const Study& study, std::span<const PartRow> parts, Problems& problems)
      : study_(study), chosen_(parts, problems), problems_(problems) {}

  Expansion expand() {
    const std::size_t before = problems_.size();
    make_parameters();
    check_uses();
    if (problems_.size() > before) return {};
    std::string text;
    const double count = count_of(study_.combine, text);
    if (!(count <= most_runs)) {
      problems_.add(problem_at(study_.combine.written,
                               fmt::format("{} = {} runs, expected at most 1,000,000", text, grouped(count)),
                               "give fewer values, or write latin_hypercube: { runs: 10000 }"));
      return {};
    }
    if (problems_.size() > before) return {};
    if (count < 1.0) {
      problems_.add(problem_at(study_.combine.written, "the study has no runs"));
      return {};
    }
    add_axes(study_.combine);
    made_.is_drawn = is_of_samples(study_.combine) &&
                     std::ranges::any_of(made_.parameters,
                                         [](const Parameter& parameter) { return parameter.distribution.has_value(); });
    return std::move(made_);
  }

 private:
  static std::string grouped(double count) {
    if (count >= 1e15) return fmt::format("{:.0e}", count);
    std::string digits = fmt::format("{:.0f}", count);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
      digits.insert(static_cast<std::size_t>(at), ",");
    return digits;
  }

  /// The range of all but one in a thousand at each end.
  static StudyRange most_of(const Distribution& distribution) {
    constexpr double beyond = 1e-3;
    return {distribution.quantile(beyond), distribution.quantile(1.0 - beyond), 0, distribution.unit};
  }

  void make_parameters() {
    for (const StudyChange& change : study_.changes) {
      Parameter parameter{.name = change.name,
                          .paths = change.paths,
                          .event = change.event,
                          .values = change.values,
                          .range = change.range,
                          .distribution = change.distribution,
                          .written = change.written};
      if (change.distribution) parameter.range = most_of(*change.distribution);
      if (!change.of.empty()) parameter.values = chosen_.of(change.of, event_word(change.event));
      for (int step = 0; change.range && step < change.range->steps; ++step) {
        const StudyRange& range = *change.range;
        const double share = static_cast<double>(step) / (range.steps - 1);
        const double number = step == range.steps - 1 ? range.to : range.from + share * (range.to - range.from);
        parameter.values.push_back(scalar_at(change.written, with_unit(number, range.unit)));
      }
      add_columns(parameter);
      made_.parameters.push_back(std::move(parameter));
    }
  }

  std::size_t add_part_parameter(const StudyOutage& outage, std::string column, std::vector<Node> parts) {
    Parameter parameter{.name = std::move(column), .written = outage.event};
    parameter.event.kind = Node::Kind::map;
    parameter.event.place = outage.event.place;
    parameter.event.excerpt = outage.event.excerpt;
    parameter.event.entries = outage.times;
    parameter.event.entries.push_back({outage.event, scalar_at(outage.event, "value")});
    parameter.values = std::move(parts);
    parameter.values.emplace_back();  // none
    add_columns(parameter);
    parameter.columns.front().is_number = false;
    made_.parameters.push_back(std::move(parameter));
    return made_.parameters.size() - 1;
  }

  std::size_t parameter_of(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(made_.parameters, name, &Parameter::name) -
                                    made_.parameters.begin());
  }

  void count_uses(const Combination& combination, std::vector<std::size_t>& uses) {
    for (const Combination& item : combination.items) count_uses(item, uses);
    if (combination.kind == Combination::Kind::change && parameter_of(combination.change) < uses.size())
      ++uses[parameter_of(combination.change)];
  }

  /// Each change is used once, and no path is changed twice.
  void check_uses() {
    std::vector<std::size_t> uses(made_.parameters.size());
    count_uses(study_.combine, uses);
    std::vector<std::pair<std::string, std::string>> moved;
    for (std::size_t m = 0; m < uses.size(); ++m) {
      const Parameter& parameter = made_.parameters[m];
      if (uses[m] != 1)
        problems_.add(problem_at(parameter.written,
                                 uses[m] == 0 ? fmt::format("combine does not use '{}'", parameter.name)
                                              : fmt::format("combine uses '{}' {} times", parameter.name, uses[m]),
                                 "each change is combined once"));
      for (const std::string& path : parameter.paths) {
        for (const auto& [other, name] : moved) {
          if (other == path || path.starts_with(other + ".") || other.starts_with(path + "."))
            problems_.add(problem_at(parameter.written,
                                     fmt::format("'{}' and '{}' both change {}", name, parameter.name, path),
                                     "one change may have several paths, with a list of values for each run"));
        }
        moved.emplace_back(path, parameter.name);
      }
    }
  }

  double size_of(std::size_t parameter) const { return static_cast<double>(made_.parameters[parameter].values.size()); }

  /// Also finds what makes no runs.
  double count_of(const Combination& node, std::string& text) {
    using Kind = Combination::Kind;
    double count = 1.0;
    std::vector<std::string> texts;
    switch (node.kind) {
      case Kind::change: {
        const std::size_t parameter = parameter_of(node.change);
        count = size_of(parameter);
        if (count == 0.0) report_no_values(made_.parameters[parameter]);
        break;
      }
      case Kind::grid:
        for (const Combination& item : node.items) count *= count_of(item, texts.emplace_back());
        text = fmt::format("{}", fmt::join(texts, " x "));
        return count;
      case Kind::together:
        return count_together(node, text);
      case Kind::latin_hypercube:
      case Kind::random:
        for (const Combination& item : node.items) {
          if (item.kind != Kind::change)
            problems_.add(problem_at(item.written, "samples need the names of the changes that are drawn",
                                     "write the names of changes under `of`"));
        }
        count = node.runs;
        break;
      case Kind::each_part:
      case Kind::each_pair: {
        const auto parts = static_cast<double>(chosen_.of(node.outage.of, node.outage.event.text).size());
        count = (node.kind == Kind::each_part ? parts : parts * (parts - 1) / 2) + (node.outage.has_none ? 1 : 0);
        break;
      }
      case Kind::maintain_each:
        count = static_cast<double>(maintained_of(node).size());
        break;
    }
    text = grouped(count);
    return count;
  }

  void report_no_values(const Parameter& parameter) {
    if (parameter.distribution)
      problems_.add(problem_at(parameter.written,
                               fmt::format("'{}' is a distribution, which has no single values", parameter.name),
                               "draw samples of it with latin_hypercube or random"));
    else
      problems_.add(problem_at(parameter.written, fmt::format("the range of '{}' has no steps", parameter.name),
                               "write steps, or draw samples of it"));
  }

  double count_together(const Combination& node, std::string& text) {
    std::set<double> counts;
    for (const Combination& item : node.items) counts.insert(count_of(item, text));
    if (counts.size() > 1)
      problems_.add(problem_at(node.written, fmt::format("together: {} values", fmt::join(counts, " and ")),
                               "changes under `together` need the same number of values"));
    text = grouped(counts.empty() ? 0.0 : *counts.begin());
    return counts.empty() ? 0.0 : *counts.begin();
  }

  struct PartPair {
    std::size_t first, second;
  };

  /// Every part out alone, and every other one lost meanwhile: numbers of the lists, that beyond the second being none.
  std::vector<PartPair> maintained_of(const Combination& node) {
    const std::vector<Node> out = chosen_.of(node.outage.of, node.outage.event.text);
    const std::vector<Node> lost = chosen_.of(node.then.of, node.then.event.text);
    std::vector<PartPair> pairs;
    for (std::size_t i = 0; i < out.size(); ++i) {
      pairs.push_back({i, lost.size()});
      for (std::size_t j = 0; j < lost.size(); ++j) {
        if (out[i].text != lost[j].text) pairs.push_back({i, j});
      }
    }
    return pairs;
  }

  static bool is_of_samples(const Combination& node) {
    using Kind = Combination::Kind;
    if (node.kind == Kind::grid && node.items.size() == 1) return is_of_samples(node.items.front());
    return node.kind == Kind::latin_hypercube || node.kind == Kind::random;
  }

  /// A grid is one axis for each of its items; all else is one.
  void add_axes(const Combination& node) {
    if (node.kind == Combination::Kind::grid) {
      for (const Combination& item : node.items) add_axes(item);
    } else {
      made_.axes.push_back(axis_of(node));
    }
  }

  StudyAxis axis_of(const Combination& node) {
    using Kind = Combination::Kind;
    switch (node.kind) {
      case Kind::change:
        return axis_of_change(parameter_of(node.change));
      case Kind::grid:
        return axis_of_grid(node);
      case Kind::together:
        return axis_together(node);
      case Kind::latin_hypercube:
      case Kind::random:
        return axis_of_samples(node);
      case Kind::each_part:
        return axis_of_parts(node);
      case Kind::each_pair:
        return axis_of_pairs(node);
      case Kind::maintain_each:
        return axis_of_maintenance(node);
    }
    return {};
  }

  StudyAxis axis_of_change(std::size_t parameter) const {
    StudyAxis axis{.parameters = 1};
    for (std::size_t value = 0; value < made_.parameters[parameter].values.size(); ++value)
      axis.choices.push_back({parameter, value});
    return axis;
  }

  static void append_option(StudyAxis& axis, const StudyAxis& from, std::size_t option) {
    const auto first = from.choices.begin() + static_cast<std::ptrdiff_t>(option * from.parameters);
    axis.choices.insert(axis.choices.end(), first, first + static_cast<std::ptrdiff_t>(from.parameters));
  }

  std::vector<StudyAxis> axes_of_items(const Combination& node) {
    std::vector<StudyAxis> axes;
    for (const Combination& item : node.items) axes.push_back(axis_of(item));
    return axes;
  }

  StudyAxis axis_of_grid(const Combination& node) {
    StudyAxis grid{.parameters = 0};
    std::size_t options = 1;
    for (const StudyAxis& axis : axes_of_items(node)) {
      StudyAxis wider{.parameters = grid.parameters + axis.parameters};
      for (std::size_t i = 0; i < options; ++i) {
        for (std::size_t j = 0; j < axis.size(); ++j) {
          append_option(wider, grid, i);
          append_option(wider, axis, j);
        }
      }
      options *= axis.size();
      grid = std::move(wider);
    }
    return grid;
  }

  StudyAxis axis_together(const Combination& node) {
    const std::vector<StudyAxis> axes = axes_of_items(node);
    StudyAxis together;
    for (const StudyAxis& axis : axes) together.parameters += axis.parameters;
    for (std::size_t i = 0; i < axes.front().size(); ++i) {
      for (const StudyAxis& axis : axes) append_option(together, axis, i);
    }
    return together;
  }

  StudyAxis axis_of_samples(const Combination& node) const {
    const auto runs = static_cast<std::size_t>(node.runs);
    const auto seed = static_cast<std::uint64_t>(node.seed);
    const std::size_t parameters = node.items.size();
    StudyAxis axis{.parameters = parameters, .choices = std::vector<Choice>(parameters * runs)};
    for (std::size_t m = 0; m < parameters; ++m) {
      const std::size_t parameter = parameter_of(node.items[m].change);
      const auto stream = static_cast<std::uint32_t>(m);
      const std::vector<double> shares = node.kind == Combination::Kind::random
                                             ? random_samples(runs, seed, stream)
                                             : stratified_samples(runs, seed, stream);
      for (std::size_t r = 0; r < runs; ++r)
        axis.choices[r * parameters + m] = choice_at(made_.parameters, parameter, shares[r]);
    }
    return axis;
  }

  StudyAxis axis_of_parts(const Combination& node) {
    const std::vector<Node> parts = chosen_.of(node.outage.of, node.outage.event.text);
    const std::size_t parameter = add_part_parameter(node.outage, free_column(node.outage.column), parts);
    StudyAxis axis{.parameters = 1};
    if (node.outage.has_none) axis.choices.push_back({parameter, parts.size()});
    for (std::size_t part = 0; part < parts.size(); ++part) axis.choices.push_back({parameter, part});
    return axis;
  }

  StudyAxis axis_of_pairs(const Combination& node) {
    const std::vector<Node> parts = chosen_.of(node.outage.of, node.outage.event.text);
    const std::size_t first = add_part_parameter(node.outage, free_column(node.outage.column), parts);
    const std::size_t second = add_part_parameter(node.outage, free_column(node.outage.column), parts);
    StudyAxis axis{.parameters = 2};
    const auto add = [&](std::size_t i, std::size_t j) {
      axis.choices.push_back({first, i});
      axis.choices.push_back({second, j});
    };
    if (node.outage.has_none) add(parts.size(), parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t j = i + 1; j < parts.size(); ++j) add(i, j);
    }
    return axis;
  }

  StudyAxis axis_of_maintenance(const Combination& node) {
    const std::size_t out = add_part_parameter(node.outage, free_column(node.outage.column),
                                               chosen_.of(node.outage.of, node.outage.event.text));
    const std::size_t lost =
        add_part_parameter(node.then, free_column(node.then.column), chosen_.of(node.then.of, node.then.event.text));
    StudyAxis axis{.parameters = 2};
    for (const PartPair& pair : maintained_of(node)) {
      axis.choices.push_back({out, pair.first});
      axis.choices.push_back({lost, pair.second});
    }
    return axis;
  }

  /// "part", then "part_2".
  std::string free_column(const std::string& column) const {
    std::string name = column;
    for (int again = 2; parameter_of(name) < made_.parameters.size(); ++again)
      name = fmt::format("{}_{}", column, again);
    return name;
  }

  const Study& study_;
  ChosenParts chosen_;
  Problems& problems_;
  Expansion made_;
};

}  // namespace

Expansion expand(const Study& study, std::span<const PartRow> parts, Problems& problems) {
  return Expander(study, parts, problems).expand();
}

}  // namespace wattloop::twin
