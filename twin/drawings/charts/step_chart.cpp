#include "twin/drawings/charts/step_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

using workload::StepPhase;

constexpr double label_width = 130, chart_width = 820, lane_height = 22, bar_height = 17, head_height = 56;
constexpr double power_height = 150, gap = 34, right_margin = 40;

struct PhaseLook {
  std::string_view words, colour;
};

/// In the order of `StepPhase`; colours of Okabe and Ito, which the colour-blind distinguish.
constexpr std::array<PhaseLook, 5> looks{{{"waits", "#f0e442"},
                                          {"computes", "#56b4e9"},
                                          {"gradients and weights", "#d55e00"},
                                          {"optimizer", "#009e73"},
                                          {"waits for hosts", "#999999"}}};

const PhaseLook& look_of(StepPhase phase) { return looks.at(static_cast<std::size_t>(phase)); }

std::string text_at(double x, double y, std::string_view anchor, const std::string& words, double size = 12) {
  return fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}' font-size='{}'>{}</text>\n", x, y, anchor, size,
                     page_text(words));
}

class StepChart {
 public:
  explicit StepChart(const ExplainedJob& job)
      : job_(job),
        step_s_(job.step.step_s),
        bottom_(head_height + lane_height * static_cast<double>(job.timelines.size())) {}

  std::string draw() const {
    const double height = bottom_ + gap + power_height + 74;
    std::string body = head() + lanes() + power() + time_axis() + legend(height - 14);
    return fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1:.0f}' viewBox='0 0 {0} {1:.0f}' "
        "font-family='sans-serif'>\n<rect width='100%' height='100%' fill='#fff'/>\n{2}</svg>\n",
        label_width + chart_width + right_margin, height, body);
  }

 private:
  double x_of(double time_s) const { return label_width + chart_width * time_s / step_s_; }

  std::string head() const {
    const workload::ParallelPlan& plan = job_.job.plan;
    return text_at(16, 22, "start",
                   fmt::format("One step of {} on {} GPUs: {}",
                               job_.job.model.name.empty() ? "a transformer" : job_.job.model.name, job_.job.gpus,
                               format_quantity(step_s_, "s")),
                   16) +
           text_at(
               16, 42, "start",
               fmt::format("tensor {} x context {} x data {} x pipeline {}, virtual {}; {} sequences, {} micro-batches "
                           "a pipeline; MFU {:.1f} %",
                           plan.tensor, plan.context, plan.data, plan.pipeline, plan.virtual_stages, plan.global_batch,
                           plan.micro_batches(), 100.0 * job_.step.mfu_fraction));
  }

  std::string lanes() const {
    std::string body;
    for (std::size_t stage = 0; stage < job_.timelines.size(); ++stage) {
      const double y = head_height + lane_height * static_cast<double>(stage);
      body += text_at(label_width - 8, y + bar_height - 4, "end", fmt::format("stage {}", stage + 1));
      for (const workload::StepSegment& segment : job_.timelines[stage]) {
        const PhaseLook& look = look_of(segment.phase);
        body += fmt::format(
            "<rect x='{:.2f}' y='{:.1f}' width='{:.2f}' height='{}' fill='{}'><title>stage {} {}: {}</title></rect>\n",
            x_of(segment.start_s), y, std::max(0.3, x_of(segment.end_s) - x_of(segment.start_s)), bar_height,
            look.colour, stage + 1, look.words, format_quantity(segment.end_s - segment.start_s, "s"));
      }
    }
    return body;
  }

  /// Mean of all stages, between 0 and the highest.
  std::string power() const {
    const double top = bottom_ + gap, low = top + power_height;
    const double most_w = 100.0 * std::ceil(job_.most_gpu_w / 100.0);
    const auto y_of = [&](double watts) { return low - power_height * watts / most_w; };
    std::string body = text_at(label_width - 8, top - 10, "end", "W a GPU"), path;
    for (double watts = 0.0; watts <= most_w + 1.0; watts += most_w > 400.0 ? 200.0 : 100.0)
      body += fmt::format("<path d='M{:.1f} {:.1f}H{:.1f}' stroke='#ccc'/>\n", label_width, y_of(watts),
                          label_width + chart_width) +
              text_at(label_width - 8, y_of(watts) + 4, "end", fmt::format("{:.0f}", watts));
    const double part_s = step_s_ / static_cast<double>(job_.gpu_course_w.size());
    for (std::size_t k = 0; k < job_.gpu_course_w.size(); ++k)
      path += fmt::format("{}{:.1f} {:.1f}H{:.1f}", k == 0 ? "M" : "L", x_of(static_cast<double>(k) * part_s),
                          y_of(job_.gpu_course_w[k]), x_of(static_cast<double>(k + 1) * part_s));
    body += fmt::format("<path d='{}' fill='none' stroke='#0072b2' stroke-width='1.8'/>\n", path);
    return body + text_at(label_width + chart_width, top - 10, "end",
                          fmt::format("mean of all stages {:.0f} W, {:.0f} to {:.0f} W", job_.gpu_w, job_.least_gpu_w,
                                      job_.most_gpu_w));
  }

  std::string time_axis() const {
    const double low = bottom_ + gap + power_height;
    const double decade = std::pow(10.0, std::floor(std::log10(step_s_)));
    double every_s = decade;
    for (const double part : {0.1, 0.2, 0.5, 1.0}) {
      if (step_s_ / (part * decade) > 12.0) continue;
      every_s = part * decade;
      break;
    }
    std::string body;
    for (int k = 0; k * every_s <= step_s_ * (1.0 + 1e-9); ++k) {
      const double x = x_of(k * every_s);
      body +=
          fmt::format("<path d='M{:.1f} {:.1f}V{:.1f}' stroke='#bbb' stroke-width='.7'/>\n", x, head_height, low + 4) +
          text_at(x, low + 18, "middle", k == 0 ? "0" : format_quantity(k * every_s, "s"));
    }
    return body;
  }

  std::string legend(double y) const {
    std::string body;
    double x = label_width;
    for (const PhaseLook& look : looks) {
      if (&look == &look_of(StepPhase::host) && job_.step.host_s == 0.0) continue;
      body += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='12' height='12' fill='{}' stroke='#999'/>\n", x, y - 10,
                          look.colour) +
              text_at(x + 17, y, "start", std::string(look.words));
      x += 40 + 7.0 * static_cast<double>(look.words.size());
    }
    return body;
  }

  const ExplainedJob& job_;
  double step_s_;
  double bottom_;
};

}  // namespace

std::string step_chart(const ExplainedJob& job) { return StepChart(job).draw(); }

}  // namespace wattloop::twin
