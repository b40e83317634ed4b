// Kinds of work are one list: each has keys, a page and words of its own, and a kind that leaves something out is none.
#include "workload/workload_kinds.hpp"

#include <filesystem>
#include <set>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/halls/toy_workload.hpp"

using namespace wattloop;
using namespace wattloop::tests;

namespace {

struct WithoutLeakage : ToyWork {
  bool contains_leakage() const = delete;
};
static_assert(!workload::WorkloadKind<WithoutLeakage>);

struct WithoutPage : ToyWork {
 private:
  using ToyWork::page;
};
static_assert(!workload::WorkloadKind<WithoutPage>);

}  // namespace

TEST_CASE("every kind of work has a name and a page of its own", "[workload]") {
  std::set<std::string_view> names;
  workload::for_each_workload_kind([&](const auto& kind) {
    CHECK(names.insert(kind.kind).second);
    CHECK(std::filesystem::is_regular_file(std::filesystem::path(WATTLOOP_SOURCE_DIR) / kind.page));
  });
  CHECK(names.size() == std::tuple_size_v<workload::WorkloadKinds>);
}

TEST_CASE("a new kind of work is made as those of the list are", "[workload]") {
  const workload::NodeSet nodes{
      .nodes = 2,
      .gpus_per_node = 8,
      .nameplate_w = 10200.0,
      .split = {.base_w = 1600.0, .overhead_ratio = 1.12, .gpu_idle_w = 70.0, .gpu_limit_w = 700.0}};
  const workload::WorkRequest request{.nodes = nodes, .mention_of = [](std::string_view) { return Mention{}; }};
  Problems problems;
  const workload::MadeWork made = make_work(ToyWork{.node_power_w = 8000.0}, request, problems);
  CHECK(problems.size() == 0);
  std::vector<double> gpu_w(16), node_w(2);
  made.workload->sample_all(90.0, gpu_w, node_w);
  CHECK(node_w == std::vector<double>{7200.0, 7200.0});
  CHECK(made.workload->jobs().empty());
  make_work(ToyWork{.node_power_w = 20000.0}, request, problems);
  CHECK(problems.size() == 1);
}
