#include "twin/study/plan/study_topics.hpp"

#include <fmt/format.h>

#include "twin/study/plan/expansion.hpp"

namespace wattloop::twin {

namespace {

Topic topic(std::string name, std::string doc, std::vector<FieldRow> rows, std::vector<std::string> notes = {}) {
  return {Topic::Group::study, std::move(name), std::move(doc), std::move(rows), std::move(notes)};
}

Topic file_topic() {
  return topic("study", "A study file: a family of runs from one scenario.",
               {{"base", "text", "required", "", "The scenario that runs are made of, relative to the study."},
                {"title", "text", "name of the file", "", "For people."},
                {"set", "map", "none", "", "Paths of the scenario and their values in all runs."},
                {"events", "list", "none", "", "Further events of all runs, as in a scenario."},
                {"changes", "map", "none", "", "What runs differ in, by name: see study.changes."},
                {"combine", "list or map", "a grid of all changes", "", "How changes make runs: see study.combine."},
                {"keep", "list", "required", "", "Figures and whole results that are kept: see study.keep."},
                {"limits", "list", "none", "", "Limits on figures, each a verdict in every row: 'pue <= 1.2'."},
                {"fork", "map", "none", "", "Up to when runs are the same, for which it is computed once: study.fork."},
                {"integrator", "text", "multirate", "", "How all runs are computed, as `wattloop run --integrator`."},
                {"search", "map", "none", "", "What `wattloop search` seeks among the runs: see study.search."}},
               {"wattloop study FILE --dry-run shows the runs; docs/studies.md explains it."});
}

Topic changes_topic() {
  return topic("study.changes", "Something that differs between runs, a column of the table: a map, by name.",
               {{"path", "text or list", "path or event", "",
                 "Path of the scenario, as after --set; of a list all move together, or each to its value of a list."},
                {"event", "map", "path or event", "",
                 "An event in which the word `value` stands for the value: { at: 60 s, fail: value }."},
                {"values", "list", "one of these", "", "Values; for several paths an item may be a list of as many."},
                {"range", "map", "one of these", "", "From one value to another one: see study.range."},
                {"distribution", "map", "one of these", "", "How likely it is to be what: see study.distribution."},
                {"of", "text or list", "one of these", "", "Of an event: patterns of parts, each part a value."}});
}

Topic distribution_topic() {
  return topic("study.distribution",
               "What is not known of a value, for samples; with figures come medians and 90 % bands.",
               {{"kind", "text", "required", "", "normal, lognormal, triangular or uniform."},
                {"mean", "of the setting", "of normal required", "", "The middle; half of all is below."},
                {"deviation", "a difference", "of normal required", "more than 0",
                 "68 % of all values are within this distance of the mean."},
                {"median", "of the setting", "of lognormal required", "more than 0", "Half of all is below."},
                {"factor", "number", "of lognormal required", "more than 1",
                 "68 % of all are from the median over it to the median times it."},
                {"likeliest", "of the setting", "of triangular required", "", "Where the triangle has its top."},
                {"from", "of the setting", "of triangular and uniform required", "", "Nothing is below."},
                {"to", "of the setting", "of triangular and uniform required", "", "Nothing is above."}});
}

Topic range_topic() {
  return topic("study.range", "Numbers in one unit.",
               {{"from", "of the setting", "required", "", "The first value."},
                {"to", "of the setting", "required", "", "The last value, another one."},
                {"steps", "count", "for samples none", "more than 1", "How many values, both ends among them."}});
}

Topic combine_topic() {
  return topic(
      "study.combine",
      "How changes make runs: the name of a change, a list, which is a grid, or one of these; they nest.",
      {{"grid", "list", "", "", "Every value of one with every value of the others, the last one the fastest."},
       {"together", "list", "", "", "Side by side: as many values each."},
       {"latin_hypercube", "map", "", "",
        "Samples, one in each of as many equal parts of every change: see study.samples."},
       {"random", "map", "", "", "Independent samples: see study.samples."},
       {"each_part", "map", "", "", "Each part out, N-1: see study.each_part."},
       {"each_pair", "map", "", "", "Each two parts out, N-2; keys of study.each_part."},
       {"maintain_each", "map", "", "",
        "Each part out, and then each other one: keys of study.each_part, and `then`."}},
      {fmt::format("At most {:.0f} runs.", most_runs)});
}

Topic samples_topic() {
  return topic("study.samples", "Of latin_hypercube and random.",
               {{"runs", "count", "required", "at least 1", "How many are drawn."},
                {"seed", "count", "1", "at least 0", "The same seed draws the same."},
                {"of", "text or list", "all changes", "", "Names of changes that are drawn."}});
}

Topic parts_topic() {
  return topic("study.each_part", "Of each_part, each_pair and maintain_each, and of `then` in the latter.",
               {{"of", "text or list", "required", "", "Patterns of parts of the base: \"cdu_*\"."},
                {"at", "s", "required", "", "When it happens."},
                {"for", "s", "to the end", "", "How long it lasts."},
                {"event", "text", "fail", "", "What happens to them, as events name it: fail, open."},
                {"or_none", "yes or no", "no", "", "One run more, without."},
                {"then", "map", "of maintain_each required", "", "What fails while another part is out; these keys."}});
}

Topic fork_topic() {
  return topic(
      "study.fork", "Up to when runs are the same: that part of them is computed once.",
      {{"at", "s", "required", "more than 0", "Up to when; what runs differ in begins there or later."},
       {"per", "text or list", "", "", "Changes of the hall itself: the part is computed once for each value."}});
}

Topic keep_topic() {
  return topic(
      "study.keep", "Items of the list `keep`.",
      {{"FIGURE", "text", "", "", "A figure of the summary by its name in --json, in SI."},
       {"FIGURE: UNIT", "text", "", "", "The same in that unit: peak_die_temperature: degC."},
       {"worst 5 by FIGURE", "text", "", "",
        "Whole results of the runs with the largest figure; the smallest of smallest_*, first_* and *_margin."},
       {"largest 5 by FIGURE", "text", "", "", "Of those with the largest; smallest 5 by FIGURE likewise."},
       {"all", "text", "", "", "Whole results of all runs."},
       {"none", "text", "", "", "No whole results, as without."}});
}

Topic search_topic() {
  return topic(
      "study.search", "What `wattloop search` seeks among the runs: one of the first six, and what belongs to it.",
      {{"largest", "text", "one of these", "", "Name of a change: its largest value with which every limit holds."},
       {"smallest", "text", "one of these", "", "Its smallest."},
       {"minimise", "text", "one of these", "", "A figure that is kept: where it is smallest, of the worst run."},
       {"maximise", "text", "one of these", "", "Where it is largest."},
       {"tornado", "list", "one of these", "", "Changes that go from one end to the other, one at a time."},
       {"sobol", "list", "one of these", "", "Changes whose shares of the variance of each figure are reported."},
       {"over", "text", "of optima required", "", "The change whose values are tried."},
       {"tolerance", "a difference", "or step", "more than 0",
        "How wide the interval that contains the answer may be."},
       {"step", "a difference", "or tolerance", "more than 0", "Values in steps from the begin of the range."},
       {"probes", "count", "2", "at most 50", "Further trials that look whether the answer changes only once."},
       {"samples", "count", "128", "at least 1", "Of sobol; runs are so many times the changes plus 2."},
       {"seed", "count", "1", "at least 0", "Of sobol: the same seed draws the same."}},
      {"The value that is sought has a range without steps; docs/search.md explains it."});
}

}  // namespace

std::vector<Topic> study_topics() {
  return {file_topic(),    changes_topic(), range_topic(), distribution_topic(), combine_topic(),
          samples_topic(), parts_topic(),   fork_topic(),  keep_topic(),         search_topic()};
}

}  // namespace wattloop::twin
