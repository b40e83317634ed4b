// Who does which run of a study: ranks by the variables of their launchers, runs handed out once each, the rest of a process that is gone.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/clusters/hand_out.hpp"
#include "twin/clusters/ranks.hpp"

using namespace wattloop::tests;
using namespace wattloop::twin;

namespace {

using Variables = std::map<std::string, std::string>;

std::optional<Ranks> ranks(const Variables& variables) {
  return ranks_of([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::vector<std::size_t> all_of(HandOut& hand_out) {
  std::vector<std::size_t> runs;
  while (const auto run = hand_out.next()) runs.push_back(*run);
  return runs;
}

std::vector<bool> none_done(std::size_t runs) { return std::vector<bool>(runs + 1); }

}  // namespace

TEST_CASE("a rank is known by the variables of its launcher", "[study][clusters]") {
  const auto open_mpi = ranks({{"OMPI_COMM_WORLD_RANK", "3"},
                               {"OMPI_COMM_WORLD_SIZE", "16"},
                               {"OMPI_MCA_orte_precondition_transports", "1b0c-cf0e"},
                               {"SLURM_PROCID", "0"},
                               {"SLURM_STEP_NUM_TASKS", "2"}});
  REQUIRE(open_mpi);
  CHECK(open_mpi->number == 3);
  CHECK(open_mpi->count == 16);
  CHECK(open_mpi->launch.starts_with("1b0c-cf0e/"));
  const auto step =
      ranks({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_JOB_ID", "7"}, {"SLURM_STEP_ID", "0"}});
  REQUIRE(step);
  CHECK((step->number == 1 && step->count == 2 && step->launch == "7/0//"));
  const auto pmi = ranks({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}});
  REQUIRE(pmi);
  CHECK((pmi->number == 0 && pmi->count == 4 && pmi->launch.empty()));
}

TEST_CASE("a process alone, in a batch script, or reported nonsense has no rank", "[study][clusters]") {
  CHECK_FALSE(ranks({}));
  CHECK_FALSE(ranks({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}, {"SLURM_JOB_ID", "7"}}));
  CHECK_FALSE(ranks({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}));
  CHECK_FALSE(ranks({{"PMI_RANK", "4"}, {"PMI_SIZE", "4"}}));
  CHECK_FALSE(ranks({{"PMI_RANK", "-1"}, {"PMI_SIZE", "4"}}));
  CHECK_FALSE(ranks({{"PMI_RANK", "1 "}, {"PMI_SIZE", "4"}}));
}

TEST_CASE("processes without claims have every n-th run each, as shards do", "[study][clusters]") {
  for (const std::size_t runs : {1U, 5U, 9U, 1000U}) {
    std::multiset<std::size_t> seen;
    for (std::size_t rank = 0; rank < 3; ++rank) {
      HandOut hand_out({rank, 3, none_done(runs)}, nullptr);
      for (const std::size_t run : all_of(hand_out)) {
        CHECK((run - 1) % 3 == rank);
        seen.insert(run);
      }
    }
    CHECK(seen.size() == runs);
    CHECK(std::set(seen.begin(), seen.end()).size() == runs);
  }
}

TEST_CASE("processes with claims do every run once, whoever is faster", "[study][clusters]") {
  const TemporaryFolder folder;
  const Claims claims(folder.path(), "launch");
  constexpr std::size_t runs = 700;
  std::vector<bool> is_done = none_done(runs);
  for (std::size_t run = 1; run <= runs; run += 7) is_done[run] = true;
  HandOut slow({0, 2, is_done}, &claims), fast({1, 2, is_done}, &claims);
  std::multiset<std::size_t> seen;
  for (int i = 0; i < 20; ++i) seen.insert(*slow.next());
  std::vector<std::size_t> of_fast = all_of(fast);
  CHECK(of_fast.front() == 2);
  CHECK(std::ranges::count_if(of_fast, [](std::size_t run) { return run % 2 == 1; }) > 200);  // that were the other's
  seen.insert(of_fast.begin(), of_fast.end());
  for (const std::size_t run : all_of(slow)) seen.insert(run);
  CHECK(seen.size() == 600);
  CHECK(std::set(seen.begin(), seen.end()).size() == 600);
  CHECK(std::ranges::none_of(seen, [&](std::size_t run) { return is_done[run]; }));
}

TEST_CASE("claims of a launch that was killed hold nothing for the next one", "[study][clusters]") {
  const TemporaryFolder folder;
  const Claims killed(folder.path(), "first");
  CHECK(killed.take("table"));
  CHECK_FALSE(Claims(folder.path(), "first").take("table"));
  const Claims next(folder.path(), "second");
  CHECK(next.take("table"));
  CHECK(next.take("12"));
  next.keep_only("table");
  CHECK_FALSE(next.take("table"));  // by one that begins when all is done
  CHECK(next.take("12"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}
