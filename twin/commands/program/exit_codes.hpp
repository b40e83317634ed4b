// Exit codes and their meaning. `wattloop manual` prints the table; docs/first_run.md has the same one, and a test compares them.
#pragma once

#include <array>
#include <string_view>

#include "twin/simulation/interrupt.hpp"

namespace wattloop::twin {

/// Stable: scripts rely on them. An interrupted command ends with `interrupted_exit_code`.
enum ExitCode : int {
  done = 0,
  bad_input = 1,
  solver_failure = 2,
  limit_violated = 3,
  file_failure = 4,
  machine_failure = 5
};

/// Exit code of a run that was asked to end and has left a checkpoint, from which `wattloop resume` goes on.
inline constexpr int saved_exit_code = 75;

struct ExitMeaning {
  int code;
  std::string_view meaning;
};

inline constexpr std::array exit_meanings{
    ExitMeaning{done, "success; all output is written"},
    ExitMeaning{bad_input, "bad input: scenario, trace, weather, command line"},
    ExitMeaning{solver_failure,
                "no trustworthy result: the solver failed, the energy balance does not close, a temperature is outside "
                "-60 to 200 degC, a liquid froze or boiled, a room reached 100 degC, the run would begin beyond such a "
                "limit, or check finds no steady state"},
    ExitMeaning{limit_violated, "a limit given with --limit is violated; the results are complete"},
    ExitMeaning{file_failure,
                "a file, the disk or standard output failed: full, closed, damaged, or written by another run"},
    ExitMeaning{machine_failure, "the computer or the program failed: memory"},
    ExitMeaning{saved_exit_code, "a run with --checkpoint was asked to end and is saved: wattloop resume continues it"},
    ExitMeaning{interrupted_exit_code, "interrupted: Ctrl-C, SIGTERM, or a closed terminal"},
};

}  // namespace wattloop::twin
