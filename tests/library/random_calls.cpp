// Random sequences of calls, wrong ones among them: a hall stays one that its own scenario repeats to the bit, and nothing stays of halls that are gone.
// WATTLOOP_CALL_SEQUENCES: how many, a few by default. WATTLOOP_FIRST_SEQUENCE: the number of the first one, so that several processes share
// ten thousand; a sequence that fails is repeated by its number alone.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

#include <wattloop/wattloop.hpp>

using namespace wattloop;

namespace {

constexpr int calls = 40;
const std::string source_folder = WATTLOOP_SOURCE_DIR;

double resident_mb() {
  std::ifstream file("/proc/self/statm");
  double all = 0.0, resident = 0.0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

unsigned number_in(const char* variable, unsigned otherwise) {
  const char* asked = std::getenv(variable);
  return asked != nullptr ? static_cast<unsigned>(std::atoi(asked)) : otherwise;
}

class Caller {
 public:
  Caller(unsigned seed, const std::filesystem::path& folder)
      : folder_(folder), random_(seed), hall_(settled_hall().fork()) {}

  void call() {
    try {
      step();
    } catch (const Error&) {  // of the library: it says what is wrong, and the hall is as it was
      ++refused_;
    }
  }

  /// Events and values at the end, of this hall and of its scenario run again over the same pieces.
  std::pair<std::string, std::string> ends() {
    const std::set<double> stops = stops_s_;
    hall_.save_scenario(folder_ / "repeated.yaml");  // and the watts of GPUs beside it
    Hall repeated(folder_ / "repeated.yaml");
    for (const double stop_s : stops) repeated.advance_to(stop_s);
    return {end_of(hall_), end_of(repeated)};
  }

  int refused() const { return refused_; }

 private:
  /// Read and built once for all sequences.
  static const Hall& settled_hall() {
    static const Hall hall = Hall::from_text(text, source_folder + "/own.yaml");
    return hall;
  }

  static std::string end_of(Hall& hall) {
    hall.advance_to(hall.end_s());
    std::string bytes;
    for (const Event& event : hall.events())
      bytes += fmt::format("{} {} {} {}\n", event.time_s, event.kind, event.target, event.detail);
    for (const char* column : {"die_temperature", "power"}) {
      const auto values = hall.values(hall.series("gpus", column));
      bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    }
    return bytes;
  }

  int draw(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

  const std::string& any(const std::vector<std::string>& texts) {
    return texts[static_cast<std::size_t>(draw(static_cast<int>(texts.size())))];
  }

  double any_number() {
    const double numbers[] = {std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity(),
                              -1e308,
                              0.0,
                              1e-320,
                              0.7,
                              0.83,
                              0.95,
                              309.15,
                              1e300};
    return numbers[draw(10)];
  }

  std::string noise() {
    std::string text(static_cast<std::size_t>(draw(4) == 0 ? 20000 : draw(40)), ' ');
    for (char& letter : text) letter = static_cast<char>(draw(256));
    return text;
  }

  void go_to(double time_s) {
    hall_.advance_to(time_s);
    stops_s_.insert(hall_.time_s());
  }

  void step() {
    static const std::vector<std::string> acts{"fail: cdu_1.pump_a",
                                               "restore: cdu_1.pump_a",
                                               "fail: cdu_1.pump_b, for: 3 s",
                                               "clog: cdu_1.technology, to: 80 %",
                                               "restore: cdu_1.*",
                                               "restore: cdu_1",
                                               "clog: cdu_1, to: 70 %, over: 5 s, for: 10 s",
                                               "at: 40 s, restore: cdu_1, for: 5 s",
                                               "at: 31.25 s, fail: cdu_1.pump_b, for: 3 s",
                                               "every: 11 s, set: loop_1.pump_speed, by: -1 %, for: 4 s",
                                               "stick: cdu_1.valve, for: 9 s",
                                               "open: row_1.rack_1, for: 4 s",
                                               "fail: row_1.rack_1.node_3, for: 8 s",
                                               "slow: row_1.rack_1.node_2.gpu_*, to: 50 %, for: 5 s",
                                               "set: loop_1.pump_speed, to: 75 %, for: 7 s",
                                               "set: loop_1.supply_temperature, by: 1 K, over: 10 s",
                                               "at: 25 s, set: loop_1.supply_temperature, to: 34 degC, for: 4 s",
                                               "at: 00:00:20, fail: cdu_1.pump_a, for: 2 s",
                                               "at: 99:99, fail: cdu_1.pump_a",
                                               "set: loop_1.supply_temperature, to: nan",
                                               "set: gpus.powr, to: 3 W",
                                               "fail: nothing",
                                               "fail: [cdu_1.pump_a, cdu_1.pump_a]",
                                               "every: 1e-9 s, fail: cdu_1.pump_a",
                                               "\xff\xfe: \x01",
                                               std::string("a\0: b", 5),
                                               std::string(5000, '{'),
                                               std::string(20000, 'x')};
    static const std::vector<std::string> inputs{
        "loop_1.pump_speed", "loop_1.supply_temperature", "gpus.power", "racks.gpu_power_limit", "loop_1.", "", "\n"};
    switch (draw(12)) {
      case 0:
      case 1:
      case 2:
        return go_to(std::min(hall_.time_s() + draw(4) * 1.25, hall_.end_s() - 1.0));
      case 3:
        return go_to(any_number());
      case 4:
      case 5:
        return hall_.act(draw(5) == 0 ? noise() : any(acts));
      case 6:
        return hall_.set(any(inputs), any_number());
      case 7:
        return hall_.set(any(inputs), draw(2) == 0 ? noise() : fmt::format("{} degC", 20 + draw(20)));
      case 8:
        return hall_.set(any(inputs), std::vector<double>(draw(3) == 0 ? 63 : 64, draw(3) == 0 ? any_number() : 500.0));
      case 9:
        hall_ = hall_.fork();
        return;
      case 10: {
        std::string bytes = hall_.snapshot();
        if (draw(3) == 0) bytes[static_cast<std::size_t>(draw(static_cast<int>(bytes.size())))] ^= 1;
        hall_ = Hall::from_snapshot(bytes);
        return;
      }
      default:
        hall_.values(hall_.series(draw(2) == 0 ? "gpus" : noise(), "die_temperature"));
        hall_.mean(hall_.series("facility.it_power"), any_number());
    }
  }

  static constexpr const char* text =
      "extends: scenarios/one_rack.yaml\nduration: 1 min\ninitial: steady\nevents: []\n";
  const std::filesystem::path folder_;
  std::mt19937 random_;
  Hall hall_;
  std::set<double> stops_s_;
  int refused_ = 0;
};

}  // namespace

TEST_CASE("any sequence of calls leaves a hall that its own scenario repeats, and no memory", "[library][random]") {
  const unsigned sequences = number_in("WATTLOOP_CALL_SEQUENCES", 6), first = number_in("WATTLOOP_FIRST_SEQUENCE", 1);
  const tests::TemporaryFolder temporary;
  int refused = 0;
  double settled_mb = 0.0;
  for (unsigned seed = first; seed < first + sequences; ++seed) {
    CAPTURE(seed);
    Caller caller(seed, temporary.path());
    for (int call = 0; call < calls; ++call) caller.call();
    const auto [one, other] = caller.ends();
    CHECK((one == other));
    refused += caller.refused();
    if (seed == first + sequences / 10) settled_mb = resident_mb();
  }
  CHECK(refused > static_cast<int>(sequences));
  if (sequences >= 100) CHECK(resident_mb() - settled_mb < 5.0);  // fewer have not settled
}
