#include "twin/study/plan/study_topics.hpp"

#include <fmt/format.h>

#include "twin/study/plan/expansion.hpp"

namespace wattloop::twin {

namespace {

Topic topic(std::string name, std::string doc, std::vector<FieldRow> rows, std::vector<std::string> notes = {}) {
  return {Topic::Group::study, std::move(name), std::move(doc), std::move(rows), std::move(notes)};
}

Topic file_topic() {
  return topic(
      "study", "A study file: many runs of one scenario with changes.",
      {{"base", "text", "required", "", "Path of the scenario that is changed, relative to the study file."},
       {"title", "text", "name of the file", "", "Title of the study."},
       {"set", "map", "none", "", "Keys of the scenario and their values in all runs."},
       {"events", "list", "none", "", "Additional events of all runs, written as in a scenario."},
       {"changes", "map", "none", "", "Differences between the runs, by name: see study.changes."},
       {"combine", "list or map", "a grid of all changes", "", "How changes are combined to runs: see study.combine."},
       {"keep", "list", "required", "", "Figures and complete results that are stored: see study.keep."},
       {"limits", "list", "none", "", "Limits on figures, with a verdict for each run: 'pue <= 1.2'."},
       {"fork", "map", "none", "",
        "Time until which the runs are equal; this part is computed only once: see study.fork."},
       {"integrator", "text", "multirate", "", "Integrator of all runs, as in `wattloop run --integrator`."},
       {"search", "map", "none", "", "What `wattloop search` looks for: see study.search."}},
      {"wattloop study FILE --dry-run shows the runs; docs/studies.md explains study files."});
}

Topic changes_topic() {
  return topic(
      "study.changes", "Differences between runs, each a column of the table: a map, by name.",
      {{"path", "text or list", "path or event", "",
        "Key of the scenario, as after --set; or a list of keys: in each run all keys get the same value, or each key "
        "its own value of a list."},
       {"event", "map", "path or event", "",
        "An event with the word `value`, which is replaced by the value of the run: { at: 60 s, fail: value }."},
       {"values", "list", "one of these", "",
        "List of values; for several keys an item may be a list with one value for each key."},
       {"range", "map", "one of these", "", "Values between two ends: see study.range."},
       {"distribution", "map", "one of these", "", "Probability distribution of the value: see study.distribution."},
       {"of", "text or list", "one of these", "", "With `event`: patterns of part names; each part is a value."}});
}

Topic distribution_topic() {
  return topic(
      "study.distribution",
      "Uncertainty of a value, for samples; the study then reports medians and 90 % bands of the figures.",
      {{"kind", "text", "required", "", "normal, lognormal, triangular or uniform."},
       {"mean", "of the setting", "of normal required", "", "Mean; half of the values are below it."},
       {"deviation", "a difference", "of normal required", "more than 0",
        "Standard deviation: 68 % of the values are within this distance of the mean."},
       {"median", "of the setting", "of lognormal required", "more than 0", "Median: half of the values are below it."},
       {"factor", "number", "of lognormal required", "more than 1",
        "Factor of spread: 68 % of the values are between the median divided by this factor and the median times this "
        "factor."},
       {"likeliest", "of the setting", "of triangular required", "", "Most probable value, the top of the triangle."},
       {"from", "of the setting", "of triangular and uniform required", "", "Lowest value."},
       {"to", "of the setting", "of triangular and uniform required", "", "Highest value."}});
}

Topic range_topic() {
  return topic("study.range", "Numbers of a range, in the same unit.",
               {{"from", "of the setting", "required", "", "The first value."},
                {"to", "of the setting", "required", "", "The last value; it differs from the first."},
                {"steps", "count", "for samples none", "more than 1", "Number of values, including both ends."}});
}

Topic combine_topic() {
  return topic("study.combine",
               "How changes are combined to runs: the name of a change; a list of names, which is a grid; or one of "
               "these keys, which can be nested.",
               {{"grid", "list", "", "",
                 "Grid: every value of one change with every value of the others; the last change varies fastest."},
                {"together", "list", "", "",
                 "Changes that vary together, value by value; each needs the same number of values."},
                {"latin_hypercube", "map", "", "", "Latin hypercube samples: see study.samples."},
                {"random", "map", "", "", "Independent samples: see study.samples."},
                {"each_part", "map", "", "", "N-1: each part out of service, one at a time: see study.each_part."},
                {"each_pair", "map", "", "", "N-2: each pair of parts out of service; keys as in study.each_part."},
                {"maintain_each", "map", "", "",
                 "Each part out of service, and then each other part, too; keys as in study.each_part, and `then`."}},
               {fmt::format("At most {:.0f} runs.", most_runs)});
}

Topic samples_topic() {
  return topic("study.samples", "Keys of latin_hypercube and random.",
               {{"runs", "count", "required", "at least 1", "Number of samples."},
                {"seed", "count", "1", "at least 0", "Seed: the same seed gives the same samples."},
                {"of", "text or list", "all changes", "", "Names of the changes that are sampled."}});
}

Topic parts_topic() {
  return topic("study.each_part", "Keys of each_part, each_pair and maintain_each, and of `then` in maintain_each.",
               {{"of", "text or list", "required", "", "Patterns of part names in the scenario: \"cdu_*\"."},
                {"at", "s", "required", "", "Time at which the parts go out of service."},
                {"for", "s", "to the end", "", "Time for which the parts are out of service."},
                {"event", "text", "fail", "", "Event that happens to the parts: fail, open."},
                {"or_none", "yes or no", "no", "", "Whether one more run has all parts in service."},
                {"then", "map", "of maintain_each required", "",
                 "Parts that fail while another part is out of service; keys as here."}});
}

Topic fork_topic() {
  return topic("study.fork", "Time until which the runs are equal: this part is computed only once.",
               {{"at", "s", "required", "more than 0",
                 "Time of the fork; differences between the runs begin at this time or later."},
                {"per", "text or list", "", "",
                 "Changes of the hall itself: the common part is computed once for each of their values."}});
}

Topic keep_topic() {
  return topic("study.keep", "Items of the list `keep`.",
               {{"FIGURE", "text", "", "", "A figure of the summary, by its name in --json, in SI units."},
                {"FIGURE: UNIT", "text", "", "",
                 "A figure, and the unit of its column in the table: peak_die_temperature: degC."},
                {"worst 5 by FIGURE", "text", "", "",
                 "Complete results of the worst runs: those with the largest figure, or with the smallest for "
                 "smallest_*, first_* and *_margin."},
                {"largest 5 by FIGURE", "text", "", "",
                 "Complete results of the runs with the largest figure; smallest 5 by FIGURE for the smallest."},
                {"all", "text", "", "", "Complete results of all runs."},
                {"none", "text", "", "", "No complete results; this is the default."}});
}

Topic search_topic() {
  return topic(
      "study.search", "What `wattloop search` looks for: one of the first seven keys, and the keys that belong to it.",
      {{"largest", "text", "one of these", "",
        "Name of a change: find its largest value at which every limit is satisfied."},
       {"smallest", "text", "one of these", "",
        "Name of a change: find its smallest value at which every limit is satisfied."},
       {"minimise", "text", "one of these", "",
        "A figure under `keep`: find the value at which it is smallest; if a value has several runs, the "
        "largest figure of them counts."},
       {"maximise", "text", "one of these", "",
        "A figure under `keep`: find the value at which it is largest; if a value has several runs, the "
        "smallest figure of them counts."},
       {"tornado", "list", "one of these", "",
        "Changes for a tornado diagram: each goes from one end to the other, one at a time."},
       {"sobol", "list", "one of these", "",
        "Changes for Sobol indices: the share of each change in the variance of each figure is reported."},
       {"plans", "text", "one of these", "throughput, energy",
        "Parallel plans of the transformer jobs of the base that fit into memory: the best by throughput, or by "
        "energy per token; no run is made."},
       {"over", "text", "of optima required", "", "Name of the change whose values are tried."},
       {"tolerance", "a difference", "or step", "more than 0",
        "Largest width of the interval that contains the answer."},
       {"step", "a difference", "or tolerance", "more than 0",
        "Step of the tried values, from the begin of the range."},
       {"probes", "count", "2", "at most 50",
        "Number of further trials that check whether the limit is crossed only once."},
       {"samples", "count", "128", "at least 1",
        "With `sobol`: number of samples; the number of runs is this times the number of changes plus 2."},
       {"seed", "count", "1", "at least 0", "With `sobol`: the same seed gives the same samples."},
       {"most", "count", "10", "at most 1000", "With `plans`: number of plans that are printed."}},
      {"Give the change that is searched a range without steps; docs/search.md explains searches."});
}

}  // namespace

std::vector<Topic> study_topics() {
  return {file_topic(),    changes_topic(), range_topic(), distribution_topic(), combine_topic(),
          samples_topic(), parts_topic(),   fork_topic(),  keep_topic(),         search_topic()};
}

}  // namespace wattloop::twin
