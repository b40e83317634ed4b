// Failures of the inside, thrown as exceptions of the headers. Included after the headers of the inside, whose exceptions have the same names
// outside of the namespace of the interface.
#pragma once

#include <utility>

#include "api/engine/failures.hpp"

#include <wattloop/errors.hpp>

namespace wattloop::library {

[[noreturn]] inline void raise(engine::Failure failure) {
  using Kind = engine::Failure::Kind;
  switch (failure.kind) {
    case Kind::input: {
      std::vector<v0::Problem> problems;
      for (engine::FoundProblem& one : failure.problems)
        problems.push_back({std::move(one.file), one.line, one.column, std::move(one.message), std::move(one.hint)});
      throw v0::InputError(failure.text, std::move(problems));
    }
    case Kind::solver:
      throw v0::SolverError(failure.text);
    case Kind::file:
      throw v0::FileError(failure.text);
    case Kind::misuse:
      throw v0::UsageError(failure.text);
    case Kind::program:
      break;
  }
  throw v0::Error("an error of the library: " + failure.text);
}

/// What `step` returns or throws, in terms of the headers. What callers throw from their own functions goes through.
template <class Step>
auto as_declared(const Step& step) -> decltype(step()) {
  return engine::guarded(step, [](engine::Failure failure) { raise(std::move(failure)); });
}

}  // namespace wattloop::library
