#include "twin/simulation/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ostream>

namespace wattloop::twin {

namespace {

constexpr double redraw_interval_s = 0.1;
constexpr double log_interval_s = 30.0;
constexpr double look_interval_s = 0.02;  // aimed at between two looks at the clock
constexpr int longest_stride = 64;        // so that a run that turns slow is noticed
constexpr int bar_width = 24;

std::string bar(double fraction) {
  const int full = static_cast<int>(fraction * bar_width);
  return std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(bar_width - full), '.');
}

}  // namespace

ProgressStyle progress_style(bool quiet) {
  if (quiet) return ProgressStyle::quiet;
  return isatty(STDERR_FILENO) == 1 ? ProgressStyle::terminal : ProgressStyle::log;
}

Clock steady_clock() {
  return [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
}

std::string duration_text(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", std::max(seconds, 0.0));
  const auto whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
  return fmt::format("{} d {:02} h", whole / 86400, whole % 86400 / 3600);
}

Progress::Progress(double duration_s, ProgressStyle style, std::ostream& out, Clock clock)
    : duration_s_(duration_s), style_(style), out_(out), clock_(std::move(clock)) {
  begin_s_ = last_look_s_ = last_report_s_ = clock_();
  if (style_ == ProgressStyle::terminal) last_report_s_ -= redraw_interval_s;  // the first line at once
}

/// Doubles or halves the calls between two looks until these are about `look_interval_s` apart.
void Progress::adapt_stride(double since_look_s) {
  if (since_look_s < 0.5 * look_interval_s) stride_ = std::min(2 * stride_, longest_stride);
  if (since_look_s > 2.0 * look_interval_s) stride_ = std::max(stride_ / 2, 1);
  calls_until_look_ = stride_;
}

std::string Progress::line(double simulated_s, double elapsed_s) const {
  const double fraction = duration_s_ > 0.0 ? std::clamp(simulated_s / duration_s_, 0.0, 1.0) : 1.0;
  std::string text = fmt::format("{:3.0f} %  {} of {}", std::floor(100.0 * fraction), duration_text(simulated_s),
                                 duration_text(duration_s_));
  if (elapsed_s > 0.0 && simulated_s > 0.0) {
    const double speed = simulated_s / elapsed_s;
    text += fmt::format("  {:.{}f} x real time  {} left", speed, speed < 10.0 ? 1 : 0,
                        duration_text((duration_s_ - simulated_s) / speed));
  }
  return text;
}

void Progress::look(double simulated_s) {
  if (style_ == ProgressStyle::quiet) {
    calls_until_look_ = longest_stride;
    return;
  }
  const double now_s = clock_();
  adapt_stride(now_s - last_look_s_);
  last_look_s_ = now_s;
  const double fraction = duration_s_ > 0.0 ? std::clamp(simulated_s / duration_s_, 0.0, 1.0) : 1.0;
  const int tenth = static_cast<int>(10.0 * fraction);
  const double since_report_s = now_s - last_report_s_;
  if (style_ == ProgressStyle::terminal) {
    if (since_report_s < redraw_interval_s) return;
    out_ << "\r\033[K[" << bar(fraction) << "] " << line(simulated_s, now_s - begin_s_) << std::flush;
    line_open_ = true;
  } else {
    if (since_report_s < log_interval_s || tenth <= last_report_tenth_) return;
    out_ << line(simulated_s, now_s - begin_s_) << std::endl;
  }
  last_report_s_ = now_s;
  last_report_tenth_ = tenth;
}

void Progress::finish() noexcept {
  if (!line_open_) return;
  line_open_ = false;
  try {
    out_ << "\r\033[K" << std::flush;
  } catch (...) {  // a closed terminal must not end a run
  }
}

}  // namespace wattloop::twin
