// Progress of a run: on a terminal one line redrawn in place (bar, percent, simulated time, speed, time
// left), in a log now and then a plain line, nothing when quiet.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace wattloop::twin {

enum class ProgressStyle { terminal, log, quiet };

/// Style for standard error as it is now: a terminal or not.
ProgressStyle progress_style(bool quiet);

/// Seconds from any origin, ascending.
using Clock = std::function<double()>;
Clock steady_clock();

/// Reports how far a run is. Redraws at most 10 times a second on a terminal; in a log only when a further 10
/// % is done and 30 s have passed.
class Progress {
 public:
  Progress(double duration_s, ProgressStyle style, std::ostream& out, Clock clock = steady_clock());
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { finish(); }

  /// To be called after every step; most calls only count.
  void at(double simulated_s) {
    if (--calls_until_look_ > 0) return;
    look(simulated_s);
  }

  /// Clears the line on a terminal, so that the summary begins at the margin.
  void finish() noexcept;

 private:
  void look(double simulated_s);
  void adapt_stride(double since_look_s);
  std::string line(double simulated_s, double elapsed_s) const;

  double duration_s_;
  ProgressStyle style_;
  std::ostream& out_;
  Clock clock_;
  double begin_s_ = 0.0;
  double last_look_s_ = 0.0;
  double last_report_s_ = 0.0;
  int last_report_tenth_ = 0;
  int stride_ = 1;
  int calls_until_look_ = 1;
  bool line_open_ = false;
};

/// "0.4 s", "12 s", "3 min 05 s", "2 h 07 min", "3 d 04 h".
std::string duration_text(double seconds);

}  // namespace wattloop::twin
