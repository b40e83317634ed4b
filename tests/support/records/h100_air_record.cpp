#include "tests/support/records/h100_air_record.hpp"

#include <fstream>
#include <sstream>

#include "tests/support/catch.hpp"

namespace wattloop::tests {

namespace {

constexpr double celsius_k = 273.15;

/// What stands in one line: seconds, a word, eight powers, eight temperatures, more.
struct Sample {
  double time_s = 0.0;
  H100Means values;
};

Sample parsed(const std::string& line) {
  std::istringstream text(line);
  Sample sample;
  std::string cell;
  const auto next = [&] {
    std::getline(text, cell, ',');
    return std::stod(cell);
  };
  sample.time_s = next();
  std::getline(text, cell, ',');
  for (double& power_w : sample.values.power_w) power_w = next();
  for (double& die_k : sample.values.die_k) die_k = next() + celsius_k;
  return sample;
}

}  // namespace

std::vector<H100Means> read_h100_air_record(const std::string& run) {
  std::ifstream file(reference_data() + "/thermal/h100_8gpu_10hz/" + run + "_wide.csv");
  REQUIRE(file.good());
  std::string line;
  std::getline(file, line);
  REQUIRE(line.starts_with("t_unix_s,phase,power_w_0"));
  std::vector<H100Means> means;
  std::vector<int> counts;
  double begin_s = -1.0;
  while (std::getline(file, line)) {
    const Sample sample = parsed(line);
    if (begin_s < 0.0) begin_s = sample.time_s;
    const auto place = static_cast<std::size_t>((sample.time_s - begin_s) / h100_interval_s);
    means.resize(place + 1);
    counts.resize(place + 1);
    ++counts[place];
    for (std::size_t gpu = 0; gpu < h100_count; ++gpu) {
      means[place].power_w[gpu] += sample.values.power_w[gpu];
      means[place].die_k[gpu] += sample.values.die_k[gpu];
    }
  }
  for (std::size_t place = 0; place < means.size(); ++place) {
    REQUIRE(counts[place] > 0);
    for (double& power_w : means[place].power_w) power_w /= counts[place];
    for (double& die_k : means[place].die_k) die_k /= counts[place];
  }
  return means;
}

}  // namespace wattloop::tests
