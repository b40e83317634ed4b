#include "api/engine/failures.hpp"

#include <new>
#include <stdexcept>
#include <utility>

#include "api/engine/open_hall.hpp"
#include "core/text/problem.hpp"

namespace wattloop::engine {

Failure failure_in_flight() {
  using Kind = Failure::Kind;
  try {
    throw;
  } catch (const InputError& error) {
    Failure failure{.kind = Kind::input, .text = error.what(), .problems = {}};
    for (const Problem& problem : error.problems())
      failure.problems.push_back(
          {problem.place.file, problem.place.line, problem.place.column, problem.message, problem.hint});
    return failure;
  } catch (const SolverError& error) {
    return {.kind = Kind::solver, .text = error.what(), .problems = {}};
  } catch (const FileError& error) {
    return {.kind = Kind::file, .text = error.what(), .problems = {}};
  } catch (const Misuse& error) {
    return {.kind = Kind::misuse, .text = error.what(), .problems = {}};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::logic_error& error) {
    return {.kind = Kind::program, .text = error.what(), .problems = {}};
  }
}

void refuse(const char* what, std::string message, std::string hint) {
  throw InputError({{{what, 0, 0}, std::move(message), std::move(hint), {}}}, what);
}

}  // namespace wattloop::engine
