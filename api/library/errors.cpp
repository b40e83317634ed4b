// The exceptions of the library live here, so that all programs know them by the same type.
#include <utility>

#include <wattloop/errors.hpp>

namespace wattloop {
inline namespace v0 {

Error::~Error() = default;

InputError::InputError(const std::string& text, std::vector<Problem> problems)
    : Error(text), problems_(std::move(problems)) {}
InputError::~InputError() = default;

SolverError::~SolverError() = default;
FileError::~FileError() = default;
UsageError::~UsageError() = default;

}  // namespace v0
}  // namespace wattloop
