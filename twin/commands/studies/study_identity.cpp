#include "twin/commands/studies/study_identity.hpp"

#include <fmt/format.h>

#include "core/numbers/instruction_level.hpp"
#include "twin/commands/run/run_inputs.hpp"
#include "twin/study/plan/study_inputs.hpp"

namespace wattloop::twin {

namespace {

std::string text_checksum(const std::string& text) { return fmt::format("{:08x}", checksum_of(text)); }

}  // namespace

StudyIdentity study_identity(const PlannedStudy& plan, const StudyBase& base) {
  return {.title = plan.study.title,
          .runs = plan.runs.size(),
          .study = text_checksum(plan.study.text),
          .scenario = text_checksum(base.scenario.resolved_text),
          .inputs = input_lines(with_all_inputs(plan, base)),
          .program = program_text(),
          .isa = std::string(instructions()),
          .columns = table_columns(plan),
          .whole_results = plan.study.whole.text,
          .is_drawn = plan.runs.is_drawn};
}

}  // namespace wattloop::twin
