// Ctrl-C, SIGTERM and a terminal that is closed (SIGHUP) as a flag that the step loop looks at, so that a run stops between steps and leaves a
// readable partial file.
#pragma once

namespace wattloop::twin {

/// Exit code of an interrupted command.
inline constexpr int interrupted_exit_code = 130;

/// While it lives, the first of these signals only sets the flag; the second of its kind ends the program at once. What is
/// ignored, as under nohup, stays so.
/// Restores the earlier handlers. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();
};

/// Whether a signal has come since the last InterruptGuard was made.
bool interrupt_requested() noexcept;

}  // namespace wattloop::twin
