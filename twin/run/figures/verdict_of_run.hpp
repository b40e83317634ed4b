// The verdict on a run: one of five words, the same on the terminal, in JSON, in reports, pictures and rows of studies (docs/verdicts.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twin/results/schema/event_record.hpp"
#include "twin/results/schema/figure_named.hpp"

namespace wattloop::twin {

/// In the order of precedence: a run has the last one that is true of it.
enum class RunVerdict : std::uint8_t { met, beyond_limits, capped, slowed, lost };

struct RunVerdictText {
  RunVerdict verdict;
  std::string_view word, meaning;
};
inline constexpr std::array run_verdicts{
    RunVerdictText{RunVerdict::met, "MET", "all nodes worked at full clock and no limit was exceeded"},
    RunVerdictText{RunVerdict::beyond_limits, "BEYOND LIMITS",
                   "a limit of a part was exceeded; the work was done in full"},
    RunVerdictText{RunVerdict::capped, "CAPPED", "an operator's power limit gave GPUs less than the work asked for"},
    RunVerdictText{
        RunVerdict::slowed, "SLOWED",
        "firmware slowed GPUs because of hot dies or hot air, or a slow GPU or an interruption delayed a job; a job "
        "could never start, or a burn-in failed"},
    RunVerdictText{RunVerdict::lost, "LOST", "nodes or switches were off or without power"},
};

/// What is known of a run at its end, and again from its results.
struct RunReported {
  std::span<const NamedValue> figures;  ///< of its summary
  std::span<const EventRecord> events;
  std::span<const LimitRecord> limits;
};

RunVerdict verdict_of(const RunReported& run);

/// "BEYOND LIMITS".
std::string_view word_of(RunVerdict verdict);

/// What stands behind the word, in parts of a sentence: "all nodes worked", "2 GPU h capped".
std::vector<std::string> verdict_reasons(const RunReported& run);

/// Is it of a kind by which GPUs go on more slowly?
bool slows_work(const EventRecord& event);

/// The name of the verdict among the figures of a summary.
inline constexpr std::string_view verdict_figure = "verdict";
inline constexpr std::string_view capped_figure = "capped_gpu_time";
inline constexpr std::string_view unreached_figure = "unreached_settings";
inline constexpr std::string_view exceeded_figure = "exceeded_limits";

/// The word as a figure of the summary, of a run with these.
NamedValue figure_of_verdict(const RunReported& run);

}  // namespace wattloop::twin
