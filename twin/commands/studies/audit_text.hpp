// What an audit says, for people and for programs.
#pragma once

#include <string>

#include "twin/search/audit_findings.hpp"

namespace wattloop::twin {

std::string audit_text(const AuditPlan& plan, const AuditFindings& findings);
std::string audit_json(const AuditPlan& plan, const AuditFindings& findings);

/// A line for each case that costs something, worst first.
std::string audit_csv(const AuditFindings& findings);

}  // namespace wattloop::twin
