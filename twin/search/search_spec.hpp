// What a study file seeks, as its section `search` says it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/study/plan/study.hpp"

namespace wattloop::twin {

struct SearchSpec {
  enum class Kind {
    largest,   ///< value of a change with which all runs hold all limits
    smallest,  ///< the same, from the other end
    minimise,  ///< a figure, over the values of a change
    maximise,
    tornado,  ///< each change from one end to the other, the others as in the base
    sobol,    ///< shares of the variance of figures
  };
  Kind kind = Kind::largest;
  std::vector<std::string> changes{};  ///< that it moves: one, but for tornado and sobol
  std::string figure{};                ///< of minimise and maximise: one that is kept
  double low = 0.0, high = 0.0;        ///< of the one change: values in its unit, or numbers of its list from 0
  double tolerance = 0.0;              ///< in the unit of the change
  double step = 0.0;                   ///< between values that are looked at; 0: any
  bool is_list = false;                ///< the change has a list of values
  int probes = 2;
  int samples = 128;
  std::uint64_t seed = 1;
  Node written{};

  bool is_of_families() const { return kind != Kind::tornado && kind != Kind::sobol; }
};

/// Of a study that was read. What is wrong goes to `problems`.
SearchSpec read_search(const Study& study, Problems& problems);

}  // namespace wattloop::twin
