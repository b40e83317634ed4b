// Runs a scenario by the library in C++, in one piece, in pieces, and through forks and snapshots, for python/tests/same_results.py:
//   same_runs SCENARIO FOLDER PIECE_S ODD_TIMES_AFTER_THE_BEGIN [--set PATH=VALUE] [--event EVENT]...
// FOLDER gets the results files of the run in one piece and in pieces, and the present values of all series after forks and snapshots.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <wattloop/wattloop.hpp>

namespace {

struct Asked {
  std::filesystem::path scenario, folder;
  double piece_s = 60.0;
  std::vector<double> odd_times_s;
  wattloop::HallOptions options{};
};

std::vector<double> numbers(const std::string& text) {
  std::vector<double> all;
  std::stringstream stream(text);
  for (std::string one; std::getline(stream, one, ',');) all.push_back(std::stod(one));
  return all;
}

Asked asked_by(const std::vector<std::string>& words) {
  Asked asked{words.at(0), words.at(1), std::stod(words.at(2)), numbers(words.at(3))};
  for (std::size_t k = 4; k + 1 < words.size(); k += 2)
    (words[k] == "--set" ? asked.options.set : asked.options.events).push_back(words[k + 1]);
  return asked;
}

void record_whole(const Asked& asked) {
  wattloop::Hall hall(asked.scenario, asked.options);
  hall.record_to(asked.folder / "library_whole.h5");
  hall.advance_to(hall.end_s());
}

void record_pieces(const Asked& asked) {
  wattloop::Hall hall(asked.scenario, asked.options);
  hall.record_to(asked.folder / "library_pieces.h5");
  while (hall.time_s() < hall.end_s()) hall.advance_to(std::min(hall.time_s() + asked.piece_s, hall.end_s()));
}

void pass_on(const Asked& asked) {
  wattloop::Hall hall(asked.scenario, asked.options);
  for (std::size_t number = 0; number < asked.odd_times_s.size(); ++number) {
    hall.advance_to(hall.time_s() + (asked.odd_times_s[number] - (number > 0 ? asked.odd_times_s[number - 1] : 0.0)));
    hall = number % 2 == 1 ? hall.fork() : wattloop::Hall::from_snapshot(hall.snapshot());
  }
  hall.advance_to(hall.end_s());
  std::ofstream file(asked.folder / "library_values", std::ios::binary);
  for (const wattloop::SeriesInfo& info : hall.all_series()) {
    const auto values = hall.values(info.series);
    file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    const Asked asked = asked_by({words + 1, words + count});
    record_whole(asked);
    record_pieces(asked);
    pass_on(asked);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "same_runs: %s\n", error.what());
    return 1;
  }
}
