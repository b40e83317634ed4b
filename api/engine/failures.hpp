// What can go wrong inside, as plain values: the headers of the library have exceptions of the same names.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace wattloop::engine {

struct FoundProblem {
  std::string file{};
  int line = 0, column = 0;
  std::string message{}, hint{};
};

struct Failure {
  enum class Kind { input, solver, file, misuse, program };
  Kind kind = Kind::program;
  std::string text{};
  std::vector<FoundProblem> problems{};
};

/// The exception that is being handled; lack of memory and what no one here threw go on.
Failure failure_in_flight();

/// Throws an InputError of one problem, whose place is the name of what was called.
[[noreturn]] void refuse(const char* what, std::string message, std::string hint);

/// Calls `step`; what it throws is given to `raise` as a failure, which throws.
template <class Step, class Raise>
auto guarded(const Step& step, const Raise& raise) -> decltype(step()) {
  try {
    return step();
  } catch (...) {
    raise(failure_in_flight());
    throw;
  }
}

}  // namespace wattloop::engine
