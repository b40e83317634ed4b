#include "twin/commands/study_identity.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "twin/commands/run_inputs.hpp"
#include "twin/results/system_file.hpp"
#include "twin/results/version.hpp"
#include "twin/study/study_inputs.hpp"

namespace wattloop::twin {

namespace {

std::string text_checksum(const std::string& text) { return fmt::format("{:08x}", checksum_of(text)); }

std::string program_text() {
  std::string text = fmt::format("{} {}", version(), commit());
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return text;
  const SystemFile file(program, SystemFile::Access::read);
  return text + fmt::format(" {:08x}", checksum_of(file, file.size()));
}

}  // namespace

StudyIdentity study_identity(const PlannedStudy& plan, const StudyBase& base) {
  return {.title = plan.study.title,
          .runs = plan.runs.size(),
          .study = text_checksum(plan.study.text),
          .scenario = text_checksum(base.scenario.resolved_text),
          .inputs = input_lines(with_all_inputs(plan, base)),
          .program = program_text(),
          .columns = table_columns(plan),
          .whole_results = plan.study.whole.text};
}

}  // namespace wattloop::twin
