// The runs of an audit: nothing out, every part out for maintenance, every part lost, every two lost together.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "twin/study/plan/study_base.hpp"

namespace wattloop::twin {

struct AuditOptions {
  std::filesystem::path scenario;
  std::vector<std::string> patterns{};  ///< of parts; none: all that can fail
  std::string duration = "20 min";      ///< of each run
  bool has_pairs = false;
};

/// What is lost at once, and from when on.
inline constexpr double audit_fails_at_s = 60.0;

struct AuditCase {
  enum class Kind { nothing, maintained, failed, pair };
  Kind kind = Kind::nothing;
  std::size_t first = 0, second = 0;  ///< numbers of parts

  double from_s() const { return kind == Kind::maintained ? 0.0 : audit_fails_at_s; }
};

struct AuditPlan {
  std::vector<std::string> parts{};
  std::vector<AuditCase> cases{};  ///< run 1, 2, ...
  PlannedStudy plan{};
  std::string duration{}, work{};  ///< of each run: "20 min", "training"
  double nameplate_w = 0.0;        ///< of all nodes
};

/// The study of an audit, from which its base is read.
Study audit_study(const AuditOptions& options);

/// Pairs come last. Adds to `problems`: patterns that match no part, a hall without parts that can fail, more than a million runs.
AuditPlan plan_audit(const AuditOptions& options, const StudyBase& base, Problems& problems);

}  // namespace wattloop::twin
