// Failures of the inside, thrown as exceptions of the headers. Included after the headers of the inside, whose exceptions have the same names
// outside of the namespace of the interface.
#pragma once

#include <exception>
#include <functional>
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

/// A function of the caller, whose exceptions wait until the library has ended what it does.
template <class... Given>
class Called {
 public:
  Called(const std::function<bool(Given...)>& function, bool after_exception)
      : function_(function), after_exception_(after_exception) {}

  std::function<bool(Given...)> function() {
    if (!function_) return {};
    return [this](Given... given) {
      try {
        return function_(given...);
      } catch (...) {
        thrown_ = std::current_exception();
        return after_exception_;
      }
    };
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  const std::function<bool(Given...)>& function_;
  const bool after_exception_;
  std::exception_ptr thrown_{};
};

}  // namespace wattloop::library
