// Published claims about training clusters, against runs of scenarios/training_cluster: docs/studies/training_cluster_claims.md is what this prints.
//
// Where a changed number is meant, WATTLOOP_WRITE_CLAIMS=1 writes the page anew; read what changed in it. Claims with numbers that only a model
// of the fabric can give are listed as such.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "network/fat_tree.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/records/published_training.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/economics/site_costs.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "workload/checkpoints/checkpoint_size.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double day_s = 86400.0, hours_per_month = 730.0, million = 1e6;
const std::string page_file = WATTLOOP_SOURCE_DIR "/docs/studies/training_cluster_claims.md";

struct Range {
  double low = 0.0, high = 0.0;
};

/// What a run says that claims are about.
struct Ran {
  explicit Ran(const std::string& name) : run("training_cluster/" + name, {}, tests::ScenarioRun::By::multirate) {
    run.to_end();
    for (const NamedValue& figure : summarise({run.plant, run.scenario, run.simulation(), run.statistics})) {
      if (const double* value = std::get_if<double>(&figure.value)) figures[figure.name] = *value;
    }
  }

  double of(const std::string& name) const { return figures.at(name); }
  double facility_w() const { return of("facility_energy") / run.scenario.duration_s; }
  double gpus() const { return static_cast<double>(run.plant.it.gpu_count()); }
  double nodes() const { return gpus() / 8.0; }
  /// From training to all nodes at their nameplate, at the PUE of the run.
  Range facility_range_w() const {
    const double nodes_w = nodes() * run.scenario.racks.front().hardware.nameplate_w;
    return {facility_w(), facility_w() + of("pue") * (nodes_w - of("mean_node_power"))};
  }
  double months() const { return months_between(LocalClock(run.scenario.start), 0.0, run.scenario.duration_s); }

  tests::ScenarioRun run;
  std::map<std::string, double> figures;
};

/// Of all GPUs of a scenario with failures, by kinds that a predicate takes.
template <class Takes>
double failures_per_day(const Ran& ran, const Takes& takes) {
  double per_day = 0.0;
  for (const workload::FailureKind& kind : ran.run.scenario.workload.get<workload::TrainingParams>()->failures.kinds) {
    if (takes(kind.name)) per_day += ran.gpus() * day_s / kind.mean_time_s;
  }
  return per_day;
}

/// Three digits, without an exponent.
std::string number_text(double value) {
  return value < 1000.0 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

std::string in_text(const Range& range, const std::string& unit) {
  const std::string low = number_text(range.low), high = number_text(range.high);
  const std::string numbers = low == high ? low : fmt::format("{} to {}", low, high);
  return unit.empty() ? numbers : fmt::format("{} {}", numbers, unit);
}

/// "holds" where ranges touch, within half a percent; else how far the claim is off.
std::string verdict(const Range& claimed, const Range& ours) {
  constexpr double slack = 1.005;
  if (claimed.low > ours.high * slack) return fmt::format("too high, {:.3g} times", claimed.low / ours.high);
  if (claimed.high * slack < ours.low) return fmt::format("too low, {:.3g} times", ours.low / claimed.high);
  return "holds";
}

class Page {
 public:
  void section(const std::string& title) {
    text_ += fmt::format("\n## {}\n\n| claim | our value | range | verdict | why |\n|---|---|---|---|---|\n", title);
  }
  /// `claimed` and `range` in `unit`; ours is printed by itself.
  std::string row(const std::string& claim, const Range& claimed, double ours, const Range& range,
                  const std::string& unit, const std::string& why) {
    const std::string found = verdict(claimed, range);
    add(claim, in_text({ours, ours}, unit), in_text(range, unit), found, why);
    return found;
  }
  void add(const std::string& claim, const std::string& ours, const std::string& range, const std::string& found,
           const std::string& why) {
    text_ += fmt::format("| {} | {} | {} | {} | {} |\n", claim, ours, range, found, why);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_ =
      "# The published cluster, claim by claim\n"
      "\n"
      "The tables compare published numbers about training clusters with the numbers of runs of [these "
      "scenarios](../../scenarios/training_cluster/README.md).\n"
      "`tests/verification/work/training_cluster_claims.cpp` runs the scenarios and writes this page.\n"
      "\n"
      "The range in the tables is the range of the value that we compute. For a power, it goes from the power "
      "in training to the power with all nodes at their nameplate.\n"
      "For another value, it goes from the result with the lowest input to the result with the highest input. "
      "A claim holds if the claimed values and our range overlap.\n";
};

/// What a scenario with this besides is refused for.
std::string refusal(const std::string& scenario, const std::vector<std::string>& overrides) {
  try {
    read_scenario(std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/training_cluster/" + scenario + ".yaml", overrides);
  } catch (const InputError& error) {
    return error.problems().front().message;
  }
  return {};
}

void write_power(Page& page, const Ran& h100, const Ran& a100, const Ran& h100_24k, const Ran& h100_100k) {
  page.section("Power and energy");
  const Range mw{h100.facility_range_w().low / million, h100.facility_range_w().high / million};
  const double pue = h100.of("pue");
  const double gpu_limit_w = h100.run.scenario.racks.front().hardware.split.gpu_limit_w;
  CHECK(page.row("10,000 H100 are 1,250 nodes", {1250, 1250}, h100.nodes(), {h100.nodes(), h100.nodes()}, "nodes",
                 "eight GPUs in a node") == "holds");
  CHECK(page.row("their GPUs draw 7 MW", {7, 7}, h100.gpus() * gpu_limit_w / million,
                 {h100.gpus() * gpu_limit_w / million, h100.gpus() * gpu_limit_w / million}, "MW",
                 "at their limit of 700 W; in training they draw less") == "holds");
  CHECK(page.row("the site draws 12 to 15 MW", {12, 15}, mw.low, mw, "MW",
                 "IT, fabric, cooling and losses of `h100_10k`") == "holds");
  const auto monthly_k = [](double w) { return w / 1e3 * hours_per_month * 0.05 / 1e3; };
  const Range monthly{monthly_k(mw.low * million), monthly_k(mw.high * million)};
  CHECK(page.row("450 to 550 k USD of energy a month at 0.05 USD/kWh", {450, 550}, monthly.low, monthly, "k USD",
                 "730 h of that power") == "holds");
  CHECK(page.row("1.5 M USD of energy in three months", {1.5, 1.5}, 3e-3 * monthly.low,
                 {3e-3 * monthly.low, 3e-3 * monthly.high}, "M USD", "three such months") == "holds");
  page.row("PUE 1.2 to 1.4", {1.2, 1.4}, pue, {pue, pue}, "",
           "cooling by liquid of 32 degC needs less than cooling by air on chilled water; the claim is for air");
  CHECK(page.row("4 to 8 nodes a rack, 150 to 300 racks", {150, 300}, 250, {h100.nodes() / 8.0, h100.nodes() / 4.0},
                 "racks",
                 "a rack of eight nodes has 82 kW and needs liquid; the fabric needs further racks") == "holds");
  const Range gwh{a100.facility_w() * 90.0 * 24.0 / 1e9, a100.facility_range_w().high * 100.0 * 24.0 / 1e9};
  const std::string gpt4 =
      page.row("GPT-4: 3,600 MWh, with 25,000 A100 for 90 to 100 days", {3.6, 3.6}, gwh.low, gwh, "GWh",
               "3,600 MWh are 63 W for each GPU, its idle power; GPT-3 needed 3,640 PF days");
  CHECK(gpt4.starts_with("too low"));
  const Range large{h100_100k.facility_range_w().low / million, h100_100k.facility_range_w().high / million};
  page.row("100,000 H100: 150 MW", {150, 150}, large.low, large, "MW",
           "training draws less than nameplate; DGX in air, with their fans and a higher PUE, draw more than "
           "liquid-cooled nodes at nameplate");
  const Range middle{h100_24k.facility_range_w().low / million, h100_24k.facility_range_w().high / million};
  page.add("24,576 H100", fmt::format("{:.3g} MW", middle.low), in_text(middle, "MW"), "no claim",
           "for comparison: power is proportional to the number of GPUs");
}

/// Of published training runs, by the model of a step: no run of a hall.
void write_network(Page& page) {
  Range gain_percent{100.0, 0.0};
  double of_most_gpus = 0.0;
  int most_gpus = 0;
  for (const tests::PublishedRun& run : tests::published_runs()) {
    const double gain = 100.0 * (tests::throughput_ratio(run, 1.1) - 1.0);
    gain_percent = {std::min(gain_percent.low, gain), std::max(gain_percent.high, gain)};
    if (run.gpus() > most_gpus) of_most_gpus = gain;
    most_gpus = std::max(most_gpus, run.gpus());
  }
  CHECK(page.row("10 % more network gives 20 to 30 % more throughput", {20, 30}, of_most_gpus, gain_percent, "%",
                 "of published runs of GPT-3, Llama 3.1 and others on 8 to 11,616 GPUs, the largest alone on the left; "
                 "NVLink "
                 "and adapters 10 % faster ([transformer](../models/transformer.md))")
            .starts_with("too high"));
  const workload::StepTime step = tests::reference_step();
  page.add("tokens/s and MFU of these runs",
           fmt::format("{:.0f} tokens/s a GPU, {:.3g} %", step.tokens_per_s / 10240.0, 100.0 * step.mfu_fraction), "-",
           "no claim", "GPT-3 in FP8 on 10,240 H100 with 2,560 sequences a step");
}

void write_fabric_and_failures(Page& page, const Ran& h100) {
  page.section("Fabric, failures, storage");
  const network::FatTree tree = network::fat_tree(h100.run.scenario.network.tree, static_cast<int>(h100.nodes()));
  const auto leaves = static_cast<double>(tree.leaf_switches()), spines = static_cast<double>(tree.spine_switches());
  page.row("about 500 leaf switches of 64 ports", {500, 500}, leaves, {leaves, leaves}, "switches",
           "500 are for 16,384 GPUs");
  CHECK(page.row("and about 100 spine switches", {100, 100}, spines, {spines, spines}, "switches",
                 "100 spines have 6,400 ports for 10,000 uplinks: 1.56:1; two tiers of 64-port switches connect at "
                 "most 2,048 ports of nodes")
            .starts_with("too low"));
  const auto is_of_gpu = [](const std::string& name) { return name.starts_with("gpu_") || name == "faulty_gpu"; };
  const auto is_faulty_or_memory = [](const std::string& name) { return name == "faulty_gpu" || name == "gpu_hbm"; };
  const double of_gpus = failures_per_day(h100, is_of_gpu), least = failures_per_day(h100, is_faulty_or_memory);
  const double of_all = failures_per_day(h100, [](const std::string&) { return true; });
  CHECK(page.row("1 to 2 GPU failures a day", {1, 2}, of_gpus, {least, of_gpus}, "a day",
                 fmt::format("rates of Llama 3; {:.2g} a day from all causes", of_all))
            .starts_with("too low"));
  const double recovery_s = 1e-3 * day_s / of_all;
  const auto& job = *h100.run.scenario.workload.get<workload::TrainingParams>();
  const double job_s = job.detection_s + job.restart_s;
  CHECK_THAT(recovery_s,
             Catch::Matchers::WithinRel(17.8 * 10240.0 / 10000.0, 0.005));  // 17.8 s of 10,240 GPUs, by hand
  page.add(
      "99.9 % uptime", fmt::format("{:.3g} s of recovery", recovery_s), "-",
      recovery_s < job_s ? "holds for nodes, not for a job" : "holds",
      fmt::format(
          "a job of all GPUs would have to recover from each failure in this time, and takes {:.0f} s; a node that "
          "fails 6.5e-3 times a day may be repaired for 3.7 h",
          job_s));
  const double bytes_b = workload::checkpoint_bytes_b(job.checkpoint);
  page.add("1 TB/s of storage to read training data", fmt::format("{:.3g} MB/s", h100.gpus() * 770.0 * 4.0 / million),
           "-", "too high",
           fmt::format(
               "at 770 tokens/s a GPU, published for GPT-3 on 512 H100 [mlperf_training_v40_smc], of 4 B; needs a run "
               "with the model of the fabric. 1 TB/s is for checkpoints: {:.3g} TB of 405 G parameters take {:.2g} s",
               bytes_b / 1e12, bytes_b / job.storage.write_b_per_s));
  const double text_tb = 15.6e12 * 4.0 / 1e12;
  CHECK(page.row("1 to 10 PB of text", {1000, 10000}, text_tb, {text_tb, text_tb}, "TB",
                 "15.6 T tokens of Llama 3, of 4 B")
            .starts_with("too high"));
  page.add("Llama 3: 1 to 2 % less throughput at mid-day", "-", "-", "on its own page",
           "[the loss at mid-day](mid_day_loss.md)");
  write_network(page);
}

void write_costs(Page& page, const Ran& h100, const Ran& in_one_sum, double gpt3_days, double gpt3_mwh) {
  page.section("Time and cost of runs");
  CHECK(page.row("GPT-3 175B on 1,024 A100: 34 days", {34, 34}, gpt3_days, {gpt3_days, gpt3_days}, "days",
                 "8 N D / (n X): 300 G tokens, 140 TFLOP/s with recomputation [narayanan2021]; our own tokens/s need a "
                 "run with the model of the fabric") == "holds");
  page.add("its energy", fmt::format("{:.3g} MWh", gpt3_mwh), "-", "no claim",
           "power of `gpt3_1024_a100` for that time");
  page.row("capital of 500 to 600 M USD for 10,000 H100", {500, 600}, 300 + 80 + 50 + 50 + 30, {510, 510}, "M USD",
           "sum of the parts of the claim: 300 + 80 + 50 + 50 + 30");
  const double months = in_one_sum.months();
  const double capital = in_one_sum.of("capital_cost") / months * 3.0 / million;
  const double operation = in_one_sum.of("operation_cost") / months * 3.0 / million;
  CHECK_THAT(capital, Catch::Matchers::WithinRel(550.0 / 12.0, 1e-9));
  CHECK_THAT(operation, Catch::Matchers::WithinRel(3.6, 1e-9));
  CHECK(page.row("55 M USD for a run of three months", {55, 55}, capital + operation,
                 {capital + operation, capital + operation}, "M USD",
                 fmt::format("{:.1f} of capital over three years and {:.1f} of operation; 50 + 4 + 2 are rounded up, "
                             "and count staff in operation and a second time",
                             capital, operation))
            .starts_with("too high"));
  const std::string staff = refusal("h100_10k_in_one_sum", {"economics.staff_per_month=600e3 USD"});
  const std::string lease = refusal("h100_10k", {"economics.lease_per_month=200e3 USD"});
  CHECK(staff == "staff_per_month counts twice: operation_per_month contains it");
  CHECK(lease == "lease_per_month and capital.building are both given: the building is paid for twice");
  page.add("staff in operation, and again in a run", "refused", "-", "inconsistent", fmt::format("`{}`", staff));
  page.add("a lease of 200 k USD a month and 30 M USD of building", "refused", "-", "inconsistent",
           fmt::format("`{}`; 200 k USD for 12 MW are {:.3g} USD/kW a month", lease, 200.0 / 12.0));
  const double pod = 50e3 / 256.0, cluster = 550e3 / 10000.0;
  CHECK(page.row("256 GPUs for 50 M USD, beside 10,000 for 550", {pod, pod}, cluster, {cluster, cluster}, "k USD a GPU",
                 fmt::format("{:.0f} k USD a GPU in the claim", pod))
            .starts_with("too high"));
  const double gpu_hours = 3.0 * hours_per_month;
  page.row("10,000 GPUs rented for three months: 45 to 90 M USD", {45, 90}, 1e-2 * gpu_hours * 3.0,
           {1e-2 * gpu_hours * 2.0, 1e-2 * gpu_hours * 4.0}, "M USD", "2 to 4 USD for a GPU hour");
  page.row("4,000 H100 for two to three months: 30 to 50 M USD", {30, 50}, 4e-3 * 2.5 * hours_per_month * 3.0,
           {4e-3 * 2.0 * hours_per_month * 2.0, 4e-3 * gpu_hours * 4.0}, "M USD",
           "at the claimed 2 to 4 USD for a GPU hour; only the high end meets the claim");
  const double own = in_one_sum.of("total_cost") / months / (in_one_sum.gpus() * hours_per_month);
  page.row("2 to 4 USD for a GPU hour", {2, 4}, own,
           {h100.of("total_cost") / months / (h100.gpus() * hours_per_month), own}, "USD",
           "from capital with energy only to capital with operation, of `h100_10k`");
}

/// Text with numbers as "#", and these.
std::pair<std::string, std::vector<double>> numbers_of(const std::string& text) {
  static const std::regex number("[0-9]+(\\.[0-9]+)?");
  std::vector<double> values;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), number); at != std::sregex_iterator(); ++at)
    values.push_back(std::stod(at->str()));
  return {std::regex_replace(text, number, "#"), values};
}

}  // namespace

TEST_CASE("the page of published claims is what runs say", "[verification][claims]") {
  const Ran h100("h100_10k"), in_one_sum("h100_10k_in_one_sum"), gpt3("gpt3_1024_a100"), a100("a100_25k");
  const Ran h100_24k("h100_24k"), h100_100k("h100_100k");
  const double gpt3_days = 8.0 * 175e9 * 300e9 / (gpt3.gpus() * 140e12) / day_s;
  CHECK_THAT(gpt3_days, Catch::Matchers::WithinAbs(33.9, 0.05));
  tests::report_verification({"GPT-3 175B on the A100 of gpt3_1024_a100", "narayanan2021", "days of training",
                              gpt3_days, 34.0, 0.5, "d", "published"});
  Page now;
  write_power(now, h100, a100, h100_24k, h100_100k);
  write_fabric_and_failures(now, h100);
  write_costs(now, h100, in_one_sum, gpt3_days, gpt3.facility_w() / million * 24.0 * gpt3_days);
  if (std::getenv("WATTLOOP_WRITE_CLAIMS") != nullptr) std::ofstream(page_file) << now.text();
  const auto [words, values] = numbers_of(now.text());
  const auto [page_words, page_values] = numbers_of(tests::file_text(page_file));
  REQUIRE(words == page_words);
  REQUIRE(values.size() == page_values.size());
  for (std::size_t number = 0; number < values.size(); ++number) {
    CAPTURE(number);
    CHECK(values[number] == Approx(page_values[number]).epsilon(0.006));  // compilers differ in a third digit
  }
}
