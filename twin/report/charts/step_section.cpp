#include "twin/report/charts/step_section.hpp"
#include "twin/drawings/colours/colour.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"
#include "twin/drawings/charts/drawing_width.hpp"
#include "workload/transformer/step_parts.hpp"

namespace wattloop::twin {

namespace {

using workload::StepPart;

constexpr std::string_view group = "step_times";
constexpr double bar_left = 150, bar_width = 820, bar_height = 30, job_height = 48, legend_line = 22, width = 1000;

struct TimeOfPart {
  const StepPart* part = nullptr;
  double time_s = 0.0, share = 0.0;
};

struct StepOfJob {
  std::string name;
  std::vector<TimeOfPart> parts;
  double step_s() const {
    double sum_s = 0.0;
    for (const TimeOfPart& one : parts) sum_s += one.time_s;
    return sum_s;
  }
};

std::vector<StepOfJob> steps_in(const ResultsReader& results) {
  std::vector<StepOfJob> jobs;
  if (!results.has_table(group) || results.times_s(group).empty()) return jobs;
  const std::vector<float> times_s = results.frame(group, "duration", 0), shares = results.frame(group, "share", 0);
  const std::vector<std::string>& items = results.table(group).items;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const std::size_t dot = items[k].rfind('.');
    const std::string job = items[k].substr(0, dot), key = items[k].substr(dot + 1);
    const auto part = std::ranges::find(workload::step_parts, key, &StepPart::key);
    if (part == workload::step_parts.end()) continue;
    if (jobs.empty() || jobs.back().name != job) jobs.push_back({job, {}});
    jobs.back().parts.push_back({&*part, times_s[k], shares[k]});
  }
  return jobs;
}

/// Okabe and Ito, which the colour-blind distinguish: blue computes, red communicates, yellow waits, green is the optimizer; lighter one by one.
/// By kind of part, in their order.
constexpr std::array<std::array<std::string_view, 6>, 4> colours{{
    {"#0072b2", "#3a93c6", "#56b4e9", "#a4d6f4"},
    {"#d55e00", "#e07b33", "#e69f00", "#eeb84d", "#f4cf86", "#f9e3bd"},
    {"#f0e442", "#c9bd2c", "#f7f0a0", "#999999", "#cccccc"},
    {"#009e73"},
}};

constexpr std::string_view colour_of(const StepPart& part) {
  std::size_t before = 0;
  for (const StepPart& one : workload::step_parts) {
    if (&one == &part) break;
    before += one.kind == part.kind ? 1 : 0;
  }
  return colours.at(static_cast<std::size_t>(part.kind)).at(before);
}

static_assert(std::ranges::none_of(workload::step_parts, [](const StepPart& part) { return colour_of(part).empty(); }),
              "each part of a step has a colour");

std::string percent(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

std::string text_at(double x, double y, std::string_view anchor, const std::string& words,
                    std::string_view ink = "#222") {
  return fmt::format("<text x='{:.1f}' y='{:.1f}' style='text-anchor:{};font-size:12px;fill:{}'>{}</text>\n", x, y,
                     anchor, ink, page_text(words));
}

std::string bar_of(const StepOfJob& job, double y) {
  constexpr double narrowest_with_text = 40;
  std::string drawn = text_at(bar_left - 8, y + 14, "end", job.name == "hall" ? "job of the hall" : job.name) +
                      text_at(bar_left - 8, y + 29, "end", format_quantity(job.step_s(), "s"));
  double x = bar_left;
  for (const auto& [part, time_s, share] : job.parts) {
    const double wide = bar_width * share;
    drawn += fmt::format(
        "<rect x='{:.2f}' y='{:.1f}' width='{:.2f}' height='{}' fill='{}' stroke='#fff' stroke-width='0.5'>"
        "<title>{}: {}, {}</title></rect>\n",
        x, y, wide, bar_height, colour_of(*part), part->words, format_quantity(time_s, "s"), percent(share));
    if (wide > narrowest_with_text)
      drawn +=
          text_at(x + 0.5 * wide, y + 19, "middle", percent(share), page_ink_on(twin::colour_of(colour_of(*part))));
    x += wide;
  }
  return drawn;
}

/// Parts that any job has, four in a line.
std::string legend_of(const std::vector<StepOfJob>& jobs, double top, double& height) {
  constexpr double column = 205;
  constexpr int columns = 4;
  std::string drawn;
  int place = 0;
  for (const StepPart& part : workload::step_parts) {
    const bool is_used = std::ranges::any_of(jobs, [&](const StepOfJob& job) {
      return std::ranges::any_of(job.parts, [&](const TimeOfPart& one) { return one.part == &part; });
    });
    if (!is_used) continue;
    const double x = bar_left + column * (place % columns), y = top + legend_line * (place / columns);
    drawn += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='12' height='12' fill='{}' stroke='#999'/>\n", x, y,
                         colour_of(part)) +
             text_at(x + 17, y + 11, "start", std::string(part.words));
    ++place;
  }
  height = legend_line * ((place + columns - 1) / columns);
  return drawn;
}

/// For a telephone: the bar of a job, and below it its parts with their shares, each in a line.
std::string narrow_step_bars(const std::vector<StepOfJob>& jobs) {
  constexpr double line = 18.0, thick = 22.0;
  std::string drawn;
  double y = 0.0;
  for (const StepOfJob& job : jobs) {
    drawn += text_at(
        0, y + 13, "start",
        fmt::format("{}: {}", job.name == "hall" ? "job of the hall" : job.name, format_quantity(job.step_s(), "s")));
    y += line;
    double x = 0.0;
    for (const TimeOfPart& one : job.parts) {
      const double wide = phone_width * one.share;
      drawn += fmt::format(
          "<rect x='{:.2f}' y='{:.1f}' width='{:.2f}' height='{}' fill='{}' stroke='#fff' stroke-width='0.5'/>\n", x, y,
          wide, thick, colour_of(*one.part));
      x += wide;
    }
    y += thick + 4.0;
    for (const TimeOfPart& one : job.parts) {
      drawn += fmt::format("<rect x='0' y='{:.1f}' width='12' height='12' fill='{}' stroke='#999'/>\n", y + 2,
                           colour_of(*one.part)) +
               text_at(18, y + 12, "start", fmt::format("{} {}", one.part->words, percent(one.share)));
      y += line;
    }
    y += 6.0;
  }
  return fmt::format("<svg class='phone_step' viewBox='0 0 {} {:.0f}'>\n{}</svg>", phone_width, y, drawn);
}

std::string row_of(const StepOfJob& job, const TimeOfPart& one) {
  return fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                     page_text(job.name == "hall" ? "job of the hall" : job.name), one.part->words,
                     format_quantity(one.time_s, "s"), percent(one.share));
}

/// Throughput of the run, where it is known.
std::string throughput_line(const ResultsReader& results) {
  const std::optional<double> tokens_per_s = results.summary_number("job_token_rate");
  const std::optional<double> mfu = results.summary_number("job_mfu");
  const std::optional<double> token_j = results.summary_number("job_energy_per_token");
  std::string line;
  const auto add = [&](const std::string& words) { line += (line.empty() ? "" : ", ") + words; };
  if (tokens_per_s) add(fmt::format("{:.3g} million tokens/s", *tokens_per_s / 1e6));
  if (mfu) {
    const std::string of = peak_of_utilisation(results);
    add(fmt::format("model FLOP utilisation (MFU) {}{}", percent(*mfu), of.empty() ? of : " " + of));
  }
  if (token_j) add(fmt::format("{:.3g} J of IT energy a token", *token_j));
  return line.empty() ? line : "<p>In this run, stops and evaluations included: " + line + ".</p>\n";
}

}  // namespace

std::string step_bars(const ResultsReader& results) {
  const std::vector<StepOfJob> jobs = steps_in(results);
  if (jobs.empty()) return {};
  std::string drawn;
  double y = 6.0, legend_height = 0.0;
  for (const StepOfJob& job : jobs) {
    drawn += bar_of(job, y);
    y += job_height;
  }
  drawn += legend_of(jobs, y, legend_height);
  return fmt::format("<svg viewBox='0 0 {} {:.0f}' role='img'>\n<title>Where the time of a step goes</title>\n{}</svg>",
                     width, y + legend_height + 6.0, drawn);
}

std::string peak_of_utilisation(const ResultsReader& results) {
  const std::vector<StepOfJob> jobs = steps_in(results);
  if (jobs.empty()) return {};
  const auto is_fp8 = [](const StepOfJob& job) {
    return std::ranges::any_of(job.parts, [](const TimeOfPart& one) {
      return one.part->key == std::string_view("scaling") && one.time_s > 0.0;
    });
  };
  const auto of_fp8 = static_cast<std::size_t>(std::ranges::count_if(jobs, is_fp8));
  const char* peak = of_fp8 == 0 ? "BF16 peak" : of_fp8 == jobs.size() ? "FP8 peak" : "FP8 or BF16 peak of each job";
  return fmt::format("of the {} of the GPUs", peak);
}

std::string step_section(const ResultsReader& results) {
  const std::string picture = in_both_widths([&](DrawingWidth width) {
    return width == DrawingWidth::wide ? step_bars(results) : narrow_step_bars(steps_in(results));
  });
  if (picture.empty()) return picture;
  std::string rows;
  for (const StepOfJob& job : steps_in(results)) {
    for (const TimeOfPart& one : job.parts) rows += row_of(job, one);
  }
  return picture +
         "<p>Of a mean GPU, at full clock, on a sound network that no other job uses. Communication is the part that "
         "computing does not hide.</p>\n" +
         throughput_line(results) +
         "<details><summary>times</summary><table><tr><th>job</th><th>part of a step</th><th>time</th><th>share</th>"
         "</tr>\n" +
         rows + "</table></details>\n";
}

}  // namespace wattloop::twin
