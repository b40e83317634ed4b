// Problems: what is wrong with a user's input, collected until all of it is known, and the errors that end a command.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop {

/// A place in a file or, with line 0, a file as a whole or a command-line override ("--set hall.racks.count").
struct Place {
  std::string file;
  int line = 0;    ///< from 1
  int column = 0;  ///< from 1
};

/// Where a file says something, and the line that says it: for what turns out to be wrong later.
struct Mention {
  Place place;
  std::string excerpt;
};

/// One mistake: where, what, and how to mend it.
struct Problem {
  Place place;
  std::string message;
  std::string hint;       ///< shown after "= "; may be empty
  std::string excerpt;    ///< the line of the file, shown with a caret under the column; may be empty
  int caret = 0;          ///< where the column is in a shortened excerpt, from 1; 0: at the column itself
  std::size_t count = 1;  ///< mistakes that it stands for: "and 737 more"
};

/// Text of one problem as STYLE shows it: `file:line:column: message`, the line with a caret, the hint. Control characters
/// are escaped, and what is very long is shortened.
std::string format_problem(const Problem& problem);

/// So many problems are reported one by one; of more, only their number.
inline constexpr std::size_t most_reported_problems = 100;

/// Problems in the order found.
class Problems {
 public:
  void add(Problem problem) { problems_.push_back(std::move(problem)); }
  bool empty() const { return problems_.empty(); }
  std::size_t size() const { return problems_.size(); }
  bool are_all_reported() const {
    return problems_.size() < most_reported_problems;
  }  ///< hints for further ones are in vain
  const std::vector<Problem>& all() const { return problems_; }

  /// Throws `InputError` if there are any; `subject` is named in the last line ("2 problems in scenarios/bad.yaml").
  void throw_if_any(std::string_view subject) const;

 private:
  std::vector<Problem> problems_;
};

/// A user's mistakes, all of them. Exit code 1.
class InputError : public std::runtime_error {
 public:
  InputError(std::vector<Problem> problems, std::string_view subject);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// The integrator or the steady-state search gave up. Exit code 2.
class SolverError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The plant left what its models are made for. Exit code 2.
class EndOfModels : public SolverError {
 public:
  using SolverError::SolverError;
};

/// A file could not be written or read back. Exit code 4.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace wattloop
