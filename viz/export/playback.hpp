// What ParaView is shown of a run: which cells, which of their fields, which times.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twin/results/reader/results_reader.hpp"
#include "viz/export/xdmf.hpp"

namespace wattloop::viz {

inline constexpr std::size_t usual_frames = 120;

struct PlaybackRequest {
  bool has_every_record = false;  ///< of any group; else at most `most_frames` of racks or GPUs, and moments of events
  std::size_t most_frames = usual_frames;
  std::optional<double> from_s{}, to_s{};
};

struct Playback {
  XdmfDocument document;         ///< its `results_file` is left to the caller
  std::size_t record_count = 0;  ///< in the time asked for, of the group that gives the times
  double worst_s = 0.0;  ///< the frame to look at first: the worst snapshot, or the first frame where that is not shown
  std::vector<std::string> left_out;  ///< sentences: what could not be shown, and why
};

/// Reads what there is to show. Each frame shows, of every group, the record nearest to its time. Throws
/// `InputError` where nothing was recorded in the time asked for, `FileError` where the file is no results
/// file or holds nothing to draw.
Playback read_playback(const std::filesystem::path& results, const PlaybackRequest& request);

/// Times of at most `most` records, from the first on every so many. A somewhat longer step is taken where every frame then falls
/// on a record of all the other groups.
std::vector<double> frame_times_s(const std::vector<double>& records_s, std::span<const std::vector<double>> others_s,
                                  std::size_t most);

/// When something happened that one wants to see: failures and losses, twelve at most.
std::vector<double> reporting_times_s(const twin::ResultsReader& results);

}  // namespace wattloop::viz
