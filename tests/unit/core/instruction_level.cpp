// Levels of instructions: which one a command gets, what is refused and why, and that the first process of a study fixes one for all.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

#include "core/numbers/instruction_level.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/clusters/study_instructions.hpp"
#include "twin/commands/program/instruction_choice.hpp"
#include "twin/study/tables/journal.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::twin;
using Catch::Matchers::Contains;
using enum InstructionLevel;

namespace {

Machine machine(const char* program, std::optional<InstructionLevel> processor,
                std::vector<InstructionLevel> installed = all_levels()) {
  return {program, processor, std::move(installed)};
}

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

std::string refused_isa(const char* asked, const Machine& on) {
  return refusal([&] { demand_isa(asked, on); });
}

Begun run_with(const char* instructions) {
  return {.place = {"day.h5", 0, 0},
          .what = "the run",
          .with = instructions,
          .go_on = "wattloop resume day.h5",
          .instead = "run it again"};
}

}  // namespace

TEST_CASE("levels have names, and each its own", "[isa]") {
  for (const InstructionLevel level : all_levels()) CHECK(level_named(name_of(level)) == level);
  for (const char* other : {"", "auto", "v1", "v5", "V3", "avx2", "native:znver4"}) CHECK_FALSE(level_named(other));
}

TEST_CASE("a program is chosen that the processor can run: what is asked for, else the best that is there", "[isa]") {
  CHECK(chosen_level("auto", v4, all_levels()) == v4);
  CHECK(chosen_level("", v3, all_levels()) == v3);
  CHECK(chosen_level("v2", v4, all_levels()) == v2);
  CHECK(chosen_level("v4", v3, all_levels()) == v3);  // the program then says what is wrong
  CHECK(chosen_level("v5", v3, all_levels()) == v3);
  CHECK(chosen_level("auto", v4, {v2, v3}) == v3);
  CHECK(chosen_level("v3", v4, {v2, v4}) == v4);
  CHECK_FALSE(chosen_level("v2", std::nullopt, all_levels()));
  CHECK_FALSE(chosen_level("v2", v2, {v3, v4}));
  CHECK_FALSE(chosen_level("auto", v4, {}));
}

TEST_CASE("instructions that are not to be had are refused with the reason", "[isa]") {
  for (const char* fine : {"auto", "v3"}) CHECK(refused_isa(fine, machine("v3", v3)).empty());
  CHECK_THAT(refused_isa("v4", machine("v3", v3)), Contains("--isa v4: this processor supports at most v3") &&
                                                       Contains("write --isa v3, the best instruction set here"));
  CHECK_THAT(refused_isa("v4", machine("v3", v4, {v2, v3})), Contains("there is no program wattloop_v4"));
  CHECK_THAT(refused_isa("v2", machine("native:znver4", v4, {})),
             Contains("this program has only native:znver4") && Contains("WATTLOOP_NATIVE=OFF"));
  CHECK_THAT(refused_isa("v2", machine("v3", v4)),
             Contains("this is the program for v3"));  // somebody started it himself
}

TEST_CASE("what was begun goes on with the same instructions, or not at all", "[isa]") {
  CHECK_FALSE(level_to_go_on_with(run_with("v3"), "auto", machine("v3", v4)));
  CHECK_FALSE(level_to_go_on_with(run_with("v3"), "v3", machine("v3", v4)));
  CHECK_FALSE(level_to_go_on_with(run_with("native:znver4"), "auto", machine("native:znver4", v4, {})));
  CHECK(level_to_go_on_with(run_with("v2"), "auto", machine("v4", v4)) == v2);
  const auto refused = [](const char* with, const char* asked, const Machine& on) {
    return refusal([&] { level_to_go_on_with(run_with(with), asked, on); });
  };
  CHECK_THAT(refused("v3", "v4", machine("v4", v4)),
             Contains("day.h5: the run was begun with the CPU instruction set v3, and v4 is requested") &&
                 Contains("wattloop resume day.h5 --isa v3"));
  for (const char* asked : {"auto", "v3"})
    CHECK_THAT(refused("v4", asked, machine("v3", v3)),
               Contains("begun with the CPU instruction set v4, and this processor supports at most v3") &&
                   Contains("run it again"));
  CHECK_THAT(refused("native:znver4", "auto", machine("v4", v4)), Contains("this program has only v4"));
  CHECK_THAT(refused("v3", "auto", machine("native:znver4", v4, {})), Contains("this program has only native:znver4"));
}

TEST_CASE("the first process of a study fixes the instructions of all", "[isa][study]") {
  const TemporaryFolder folder;
  const std::filesystem::path study = folder / "out";
  std::vector<std::string> found(8);
  {
    std::vector<std::jthread> processes;
    for (std::size_t k = 0; k < found.size(); ++k)
      processes.emplace_back([&, k] { found[k] = fixed_instructions(study, k % 2 == 0 ? "v3" : "v4", false); });
  }
  const std::set<std::string> all(found.begin(), found.end());
  CHECK(all.size() == 1);
  CHECK(fixed_instructions(study, "v2", false) == *all.begin());
  CHECK(fixed_instructions(study, "v2", true) == "v2");
  CHECK(std::distance(std::filesystem::directory_iterator(study), {}) == 1);  // nothing is left beside it
  demand_study_folder(study);
}

TEST_CASE("a folder of something else is not written to", "[isa][study]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "letter.txt") << "dear";
  CHECK_THAT(refusal([&] { fixed_instructions(folder.path(), "v3", false); }),
             Contains("which does not belong to a study"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a study wants no more than v3 by itself", "[isa][study]") {
  CHECK(requested_instructions("v4") == "v3");
  CHECK(requested_instructions("v3") == "v3");
  CHECK(requested_instructions("v2") == "v2");
  CHECK(requested_instructions("native:znver4") == "native:znver4");
}

TEST_CASE("rows of other instructions are not of the same study", "[isa][study]") {
  const StudyIdentity one{.study = "1", .program = "4", .isa = "v3"};
  StudyIdentity other = one;
  CHECK(one.differences(other).empty());
  other.isa = "v4";
  CHECK(one.differences(other) == "the instructions (v4 and v3)");
}
