// From a study to its runs: what each changes, and what its row of the table says of that. Pure: the same study and base are the same
// runs in the same order, whoever asks, and any run can be had without the others.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twin/study/plan/study.hpp"

namespace wattloop::twin {

inline constexpr double most_runs = 1e6;

struct StudyColumn {
  std::string name{}, unit{}, long_name{};
  bool is_number = false;
};

struct StudyRun {
  std::size_t number = 0;                 ///< from 1
  std::vector<std::string> cells{};       ///< one for each column: numbers in its unit, or texts
  std::vector<DocumentChange> changes{};  ///< of the base
};

/// Something that has another value from run to run: a change, or the part that fails.
struct Parameter {
  std::string name{};
  std::vector<std::string> paths{};
  Node event{};  ///< else
  std::vector<Node> values{};
  std::optional<StudyRange> range{};           ///< of which samples take any value
  std::optional<Distribution> distribution{};  ///< how likely they are to; `range` is then where nearly all are
  Node written{};
  std::vector<StudyColumn> columns{};
};

/// The value of one parameter in one run.
struct Choice {
  std::size_t parameter = 0;
  std::size_t value = 0;  ///< its number in the list of values, from 0
  double number = 0.0;    ///< the value itself, of a sample of a range or distribution
  bool is_sample = false;
  bool is_base = false;  ///< the value of the base: nothing is changed
};

/// Choices that are made together, `movers` of them in each option.
struct StudyAxis {
  std::size_t parameters = 0;
  std::vector<Choice> choices{};
  std::size_t size() const { return parameters == 0 ? 0 : choices.size() / parameters; }
};

/// Runs are all combinations of one option of each axis, the last axis the fastest.
class Expansion {
 public:
  std::vector<Parameter> parameters{};
  std::vector<StudyAxis> axes{};

  std::size_t size() const;
  std::vector<StudyColumn> columns() const;
  /// From 1 to size().
  StudyRun run(std::size_t number) const;
  /// Whether all runs are draws, of something whose likelihood is given.
  bool is_drawn = false;
  /// "3 x 12 = 36 runs".
  std::string product_text() const;
};

}  // namespace wattloop::twin
