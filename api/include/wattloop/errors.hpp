// Exceptions of the library. Each says what was wrong and what was expected; the hall is as it was before, unless its page says otherwise.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

/// The interface has a version of its own: 0 until it is declared stable (docs/library.md). It is that of the shared library, too.
namespace wattloop {
inline namespace v0 {
#pragma GCC visibility push(default)

/// One mistake of an input: where, what, and how to mend it.
struct Problem {
  std::string file{};  ///< or what was given: "act", "series"
  int line = 0;        ///< from 1; 0: the file as a whole
  int column = 0;      ///< from 1
  std::string message{};
  std::string hint{};  ///< the nearest valid name, or what was expected; may be empty
};

/// All exceptions of the library are of this type.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Error() override;
};

/// An input is wrong; all that is wrong with it at once.
class InputError : public Error {
 public:
  InputError(const std::string& text, std::vector<Problem> problems);
  ~InputError() override;
  const std::vector<Problem>& problems() const noexcept { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// A run has no trustworthy answer: it ended early. The hall can be looked at, and goes no further.
class SolverError : public Error {
 public:
  using Error::Error;
  ~SolverError() override;
};

/// A file could not be read or written, or is of another program.
class FileError : public Error {
 public:
  using Error::Error;
  ~FileError() override;
};

/// The library was used in a way that it is not made for: a hall from two threads at once, after `fork(2)`, or after an error.
class UsageError : public Error {
 public:
  using Error::Error;
  ~UsageError() override;
};

#pragma GCC visibility pop
}  // namespace v0
}  // namespace wattloop
