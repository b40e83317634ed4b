#include "twin/study/plan/expansion.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/count_text.hpp"
#include "twin/study/plan/mover.hpp"

namespace wattloop::twin {

namespace {

/// The value put where an event says `value`, or `value.setting`.
void put_value(Node& node, const Node& value) {
  for (Node& item : node.items) put_value(item, value);
  for (Entry& entry : node.entries) put_value(entry.value, value);
  if (!node.is_scalar()) return;
  if (node.text == "value") {
    node = value;
  } else if (node.text.starts_with("value.")) {
    node.text = value.text + node.text.substr(5);
  }
}

/// What a choice changes, and its cells.
void apply(const Parameter& parameter, const Choice& choice, StudyRun& run) {
  if (choice.is_base) {
    run.cells.resize(run.cells.size() + parameter.columns.size());
    return;
  }
  const Node sample =
      choice.is_sample ? scalar_at(parameter.written, with_unit(choice.number, parameter.range->unit)) : Node{};
  const Node& value = choice.is_sample ? sample : parameter.values.at(choice.value);
  const bool is_list = has_lists(parameter);
  for (std::size_t c = 0; c < parameter.columns.size(); ++c) {
    const Node& one = value_of(value, c, is_list);
    run.cells.push_back(parameter.columns[c].is_number ? number_text(written_number(one.text)->number)
                                                       : flow_text(one));
  }
  if (value.is_null() && parameter.paths.empty()) return;  // nothing happens
  for (std::size_t path = 0; path < parameter.paths.size(); ++path)
    run.changes.push_back({parameter.paths[path], value_of(value, path, is_list)});
  if (!parameter.paths.empty()) return;
  Node event = parameter.event;
  put_value(event, value);
  run.changes.push_back({"events", std::move(event), true});
}

}  // namespace

std::size_t Expansion::size() const {
  std::size_t size = axes.empty() ? 0 : 1;
  for (const StudyAxis& axis : axes) size *= axis.size();
  return size;
}

std::vector<StudyColumn> Expansion::columns() const {
  std::vector<StudyColumn> columns;
  for (const StudyAxis& axis : axes) {
    for (std::size_t m = 0; m < axis.parameters && !axis.choices.empty(); ++m) {
      const Parameter& parameter = parameters[axis.choices[m].parameter];
      columns.insert(columns.end(), parameter.columns.begin(), parameter.columns.end());
    }
  }
  return columns;
}

StudyRun Expansion::run(std::size_t number) const {
  StudyRun run{.number = number};
  std::vector<std::size_t> options(axes.size());
  std::size_t rest = number - 1;
  for (std::size_t a = axes.size(); a-- > 0;) {
    options[a] = rest % axes[a].size();
    rest /= axes[a].size();
  }
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const StudyAxis& axis = axes[a];
    for (std::size_t m = 0; m < axis.parameters; ++m) {
      const Choice& choice = axis.choices[options[a] * axis.parameters + m];
      apply(parameters[choice.parameter], choice, run);
    }
  }
  return run;
}

std::string Expansion::product_text() const {
  std::vector<std::string> sizes;
  for (const StudyAxis& axis : axes) sizes.push_back(fmt::format("{}", axis.size()));
  const std::string product = sizes.size() > 1 ? fmt::format("{} = ", fmt::join(sizes, " x ")) : "";
  return product + count_text(size(), "run");
}

}  // namespace wattloop::twin
