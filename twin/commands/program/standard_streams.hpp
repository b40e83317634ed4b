// Standard output and error, of which either may be closed, full, or a pipe that no one reads.
#pragma once

#include <string_view>

namespace wattloop::twin {

/// Keeps files that are opened later out of the numbers of closed streams, and turns writing into a broken pipe, or beyond a limit
/// of file sizes, into a failure that is reported. To be called first of all.
void keep_standard_streams();

/// One line to standard error; where that is lost, there is no one left to report.
void report(std::string_view line) noexcept;

/// Whether standard output is a terminal that colours text and no one set NO_COLOR (no-color.org).
bool shows_colour();

/// `exit_code`, or `file_failure` where something written to standard output did not get there and all else went well.
int after_output(int exit_code);

/// True where standard output is a pipe that no one reads any more, as behind `| head`: no error.
bool is_reader_gone();

}  // namespace wattloop::twin
