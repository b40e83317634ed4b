#include "twin/study/plan/study_inputs.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "core/text/problem.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t most_combinations = 1024;

bool may_name_file(const Node& value) {
  if (!value.is_scalar()) return true;
  return !written_number(value.text);
}

bool may_name_file(const Parameter& parameter) {
  return parameter.event.is_null() &&
         std::ranges::any_of(parameter.values, [](const Node& v) { return may_name_file(v); });
}

/// Options of an axis that differ in what could name a file; the first alone where nothing does.
std::vector<std::size_t> options_of(const Expansion& runs, const StudyAxis& axis) {
  std::set<std::vector<std::size_t>> seen;
  std::vector<std::size_t> options;
  for (std::size_t option = 0; option < axis.size(); ++option) {
    std::vector<std::size_t> values;
    for (std::size_t m = 0; m < axis.parameters; ++m) {
      const Choice& choice = axis.choices[option * axis.parameters + m];
      if (!choice.is_sample && may_name_file(runs.parameters[choice.parameter])) values.push_back(choice.value);
    }
    if (seen.insert(std::move(values)).second) options.push_back(option);
  }
  return options;
}

/// All combinations of these options, or, where they are many, each beside the first of the others.
std::set<std::size_t> runs_that_read(const Expansion& runs) {
  std::set<std::size_t> all{1}, single{1};
  std::size_t stride = 1;
  for (std::size_t a = runs.axes.size(); a-- > 0;) {
    const std::vector<std::size_t> options = options_of(runs, runs.axes[a]);
    std::set<std::size_t> more;
    for (const std::size_t option : options) {
      single.insert(1 + option * stride);
      if (all.size() * options.size() > most_combinations) continue;
      for (const std::size_t run : all) more.insert(run + option * stride);
    }
    all.merge(more);
    stride *= runs.axes[a].size();
  }
  all.merge(single);
  return all;
}

}  // namespace

Scenario with_all_inputs(const PlannedStudy& plan, const StudyBase& base) {
  Scenario all = base.scenario;
  std::set<std::pair<std::string, std::string>> files;
  std::set<std::string> variables(all.variables.begin(), all.variables.end());
  for (const InputFile& file : all.input_files) files.emplace(file.role, file.path);
  for (const std::size_t number : runs_that_read(plan.runs)) {
    try {
      const Scenario scenario = base.source.with(plan.runs.run(number).changes);
      for (const InputFile& file : scenario.input_files) {
        if (files.emplace(file.role, file.path).second) all.input_files.push_back(file);
      }
      variables.insert(scenario.variables.begin(), scenario.variables.end());
    } catch (const InputError&) {  // a row of the table says so
    }
  }
  all.variables.assign(variables.begin(), variables.end());
  return all;
}

}  // namespace wattloop::twin
