#include "twin/commands/studies/study_isa.hpp"

#include "twin/clusters/study_instructions.hpp"
#include "twin/commands/program/instruction_choice.hpp"

namespace wattloop::twin {

void keep_study_to_instructions(const std::filesystem::path& folder, const std::string& asked, bool is_afresh) {
  const std::string own(instructions());
  const std::string requested = asked == any_level ? requested_instructions(own) : own;
  const std::string fixed = fixed_instructions(folder, requested, is_afresh);
  keep_to_instructions(
      {.place = {folder.string(), 0, 0},
       .what = "the study",
       .with = fixed,
       .go_on = "the same command with",
       .instead =
           "continue it on machines that have this instruction set; to begin again, give another folder or --afresh"},
      asked);
}

}  // namespace wattloop::twin
