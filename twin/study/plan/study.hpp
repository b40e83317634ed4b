// A study as its file says it: a base scenario, named changes of it, how they are combined, figures to keep, limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/document/override.hpp"
#include "twin/run/run_method.hpp"
#include "twin/study/draws/distribution.hpp"

namespace wattloop::twin {

/// From one end to the other; both in `unit` as it was written.
struct StudyRange {
  double from = 0.0, to = 0.0;
  int steps = 0;  ///< 0: for samples only
  std::string unit{};
};

/// What some runs have otherwise than the base.
struct StudyChange {
  std::string name{};
  std::vector<std::string> paths{};  ///< of the scenario; or
  Node event{};                      ///< one event in which the word `value` stands for the value
  std::vector<Node> values{};        ///< one of these, or
  std::optional<StudyRange> range{};
  std::optional<Distribution> distribution{};  ///< of which samples are drawn
  std::vector<Node> of{};                      ///< patterns of parts, of which each is a value
  Node written{};                              ///< for mistakes
};

/// Parts to which something happens, each in a run of its own.
struct StudyOutage {
  Node event{};                ///< its word: "fail"
  std::vector<Node> of{};      ///< patterns of parts
  std::vector<Entry> times{};  ///< `at`, and `for` where it ends
  std::string column{};
  bool has_none = false;  ///< one run more, without
};

/// How changes make runs: a tree.
struct Combination {
  enum class Kind { change, grid, together, latin_hypercube, random, each_part, each_pair, maintain_each };
  Kind kind = Kind::grid;
  std::string change{};              ///< the name of one
  std::vector<Combination> items{};  ///< of grid and together; of samples the changes
  int runs = 0, seed = 1;            ///< of samples
  StudyOutage outage{}, then{};      ///< of parts; `then`: what fails while another one is maintained
  Node written{};
};

/// Up to where runs are the same, for which it is computed once.
struct StudyFork {
  double at_s = 0.0;
  std::vector<Node> per{};  ///< names of changes: once for each of their values
  Node written{};
};

/// A figure of the summary that is kept, in a unit.
struct StudyFigure {
  std::string name{}, unit{};  ///< unit empty: that of results files
  Node written{};
};

struct Study {
  std::filesystem::path file{};
  std::string title{};
  std::filesystem::path base{};
  std::vector<DocumentChange> fixed{};  ///< what all runs have otherwise than the base
  std::vector<StudyChange> changes{};
  Combination combine{};
  std::vector<StudyFigure> keep{};
  std::optional<StudyFork> fork{};
  RunMethod method{};  ///< by which all runs are computed
  std::vector<Node> limits{};
  Node search{};       ///< what is sought among the runs, as it was written (twin/search)
  Node whole{};        ///< of which runs the whole results are kept
  std::string text{};  ///< the same content is the same text, however it was laid out
};

/// The study of a file. What is wrong goes to `problems`, all of it.
Study read_study(const std::filesystem::path& file, Problems& problems);
Study read_study_text(std::string_view text, const std::filesystem::path& name, Problems& problems);

/// "31.5 degC" as a number and the unit as it was written; nothing where it is something else.
struct WrittenNumber {
  double number = 0.0;
  std::string unit{};
};
std::optional<WrittenNumber> written_number(const std::string& text);

}  // namespace wattloop::twin
