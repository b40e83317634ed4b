// How much more a switch draws in traffic than without: the metered switches of eight nodes that fine-tune a model, five runs
// at 1 s [mlperf_training_v41_dell]. Without traffic is the lowest percentile, in traffic the highest but one: the record has
// no traffic counts.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "network/switch_power.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/library_device.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;

namespace {

/// The last column of all five runs, in rising order.
std::vector<double> metered_w() {
  std::vector<double> watts;
  for (int run = 0; run < 5; ++run) {
    std::ifstream file(tests::reference_data() +
                       fmt::format("/power/mlperf_dell_h100_rdhx/llama2lora_result_{}.csv", run));
    std::string line;
    std::getline(file, line);
    REQUIRE(line.ends_with("switches"));
    while (std::getline(file, line)) {
      const std::string cell = line.substr(line.rfind(',') + 1);
      if (!cell.empty() && cell != "\r") watts.push_back(std::stod(cell));
    }
  }
  std::sort(watts.begin(), watts.end());
  return watts;
}

}  // namespace

TEST_CASE("a switch of the library without traffic draws the share of its typical power that a metered one does",
          "[switch_power]") {
  const std::vector<double> watts = metered_w();
  REQUIRE(watts.size() > 1500);
  const double theirs = watts[watts.size() / 100] / watts[watts.size() - 1 - watts.size() / 100];
  tests::AnyDevice device;
  tests::read_library_device("switch_qm9700", device);
  const network::SwitchParams& p = device.draft.scenario.network.switches;
  const double ours = network::switch_power_w(p, 0.0) / network::switch_power_w(p, p.typical_traffic_fraction);
  CHECK(ours == Approx(theirs).margin(0.005));
  tests::report_verification(
      {"switch without traffic over in traffic", "mlperf_training_v41_dell", "power ratio", ours, theirs, 0.005, "1"});
}
