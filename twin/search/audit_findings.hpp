// What an audit says of a hall.
//
//   concurrently maintainable   with any one part out for maintenance no work is lost and no limit is exceeded that changes the run
//   fault tolerant              the same with any one part lost
//   minimal cut set             parts that lost together cost work, and none of them alone does
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twin/search/audit_plan.hpp"
#include "twin/study/tables/study_table.hpp"

namespace wattloop::twin {

/// A case that costs something.
struct AuditFinding {
  std::size_t run = 0;
  AuditCase of{};
  bool costs_work = false;  ///< false: only a limit is passed
  bool has_answer = true;   ///< false: the run ended early; `what` says why
  std::string what{};       ///< the first loss
  double after_s = 0.0;     ///< time from the outage to the first loss; not a number: not known
  double lost_gpu_s = 0.0;
};

struct AuditFindings {
  std::vector<std::string> parts{};
  std::size_t cases = 0;               ///< that were run
  std::vector<AuditFinding> costly{};  ///< worst first: without an answer, then GPU-time lost, then soonest
  double load_w = 0.0;                 ///< of all nodes in the mean, with nothing out; not a number: not known
  bool is_fine_whole = true;           ///< with nothing out
  bool is_maintainable = true, is_fault_tolerant = true;
  std::vector<std::vector<std::string>> cut_sets{};  ///< minimal, up to pairs, in the order of the parts
};

/// The finding of one case; nothing where no work is lost and no limit is passed.
std::optional<AuditFinding> finding_of(const AuditCase& of, const StudyRow& row,
                                       const std::vector<TableColumn>& columns);

/// Of rows of the plan by run. A pair of which one part alone costs work needs no row.
AuditFindings audit_findings(const AuditPlan& audit, std::span<const StudyRow> rows);

/// Runs of pairs that may be minimal cut sets: of which neither part alone costs work or has no answer.
std::vector<std::size_t> pairs_to_run(const AuditPlan& audit, std::span<const StudyRow> rows);

}  // namespace wattloop::twin
