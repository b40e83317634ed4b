#include "twin/commands/studies/audit_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "core/units/units.hpp"
#include "twin/commands/program/text_table.hpp"
#include "twin/ratings/part_list.hpp"

namespace wattloop::twin {

namespace {

using Json = nlohmann::ordered_json;
using Kind = AuditCase::Kind;

constexpr std::size_t most_shown = 24;

std::string parts_text(const AuditFindings& findings, const AuditCase& of) {
  if (of.kind == Kind::nothing) return "nothing";
  return of.kind == Kind::pair ? findings.parts[of.first] + " and " + findings.parts[of.second]
                               : findings.parts[of.first];
}

std::string word_of(Kind kind) {
  switch (kind) {
    case Kind::nothing:
      return "as it is";
    case Kind::maintained:
      return "maintained";
    case Kind::failed:
      return "failed";
    case Kind::pair:
      break;
  }
  return "both failed";
}

std::string hours_text(double hours) {
  return hours < 100.0 ? fmt::format("{:.3g}", hours) : fmt::format("{:.0f}", hours);
}

double gpu_hours(const AuditFinding& finding) { return finding.lost_gpu_s / 3600.0; }

std::string after_text(const AuditFinding& finding) {
  return std::isfinite(finding.after_s) ? format_quantity(finding.after_s, "s") : "n/a";
}

/// Of cases that differ in numbers, or in how a part is out, the worst, and what else there is.
struct Alike {
  const AuditFinding* worst;
  std::set<std::string> parts{}, outages{};
};

std::vector<Alike> alike(const AuditFindings& findings) {
  std::vector<Alike> groups;
  std::map<std::string, std::size_t> known;
  for (const AuditFinding& finding : findings.costly) {
    const std::string parts = parts_text(findings, finding.of);
    const std::string key = fmt::format("{}, {}", without_numbers(parts), without_numbers(finding.what));
    const auto [place, is_new] = known.emplace(key, groups.size());
    if (is_new) groups.push_back({&finding});
    groups[place->second].parts.insert(parts);
    groups[place->second].outages.insert(word_of(finding.of.kind));
  }
  return groups;
}

std::string ranking_text(const AuditFindings& findings) {
  if (findings.costly.empty()) return {};
  const std::vector<Alike> groups = alike(findings);
  std::string text = "\nParts whose loss costs work or exceeds a limit, worst first\n";
  TextTable table({"", "", "GPU-hours lost", "after"});
  for (std::size_t i = 0; i < std::min(groups.size(), most_shown); ++i) {
    const AuditFinding& worst = *groups[i].worst;
    const std::size_t others = groups[i].parts.size() - 1;
    const std::string more = others > 0 ? fmt::format(" (and {} like it)", others) : "";
    table.add({fmt::format("{:>2}  {}{}", i + 1, parts_text(findings, worst.of), more),
               fmt::format("{}", fmt::join(groups[i].outages, ", ")),
               worst.has_answer ? hours_text(gpu_hours(worst)) : "n/a", after_text(worst)});
    table.add({"    " + worst.what, "", "", ""});
  }
  text += table.text();
  if (groups.size() > most_shown) text += fmt::format("  and {} more, in the table\n", groups.size() - most_shown);
  return text;
}

std::string cut_sets_text(const AuditPlan& plan, const AuditFindings& findings) {
  std::size_t singles = 0;
  for (const auto& set : findings.cut_sets) singles += set.size() == 1 ? 1 : 0;
  const bool has_pairs = plan.cases.back().kind == Kind::pair;
  std::string text = fmt::format("\nparts whose loss alone costs work   {}\n", singles);
  if (has_pairs) text += fmt::format("pairs whose loss together does      {}\n", findings.cut_sets.size() - singles);
  return text;
}

std::string verdict_text(const char* name, bool is_so, const AuditFindings& findings, Kind kind) {
  if (is_so) return fmt::format("{:<27} yes\n", name);
  const auto count =
      std::ranges::count_if(findings.costly, [&](const AuditFinding& finding) { return finding.of.kind == kind; });
  return fmt::format("{:<27} NO: {} of {} parts\n", name, count, findings.parts.size());
}

/// What the verdict is about.
std::string load_text(const AuditPlan& plan, const AuditFindings& findings) {
  const std::string load =
      std::isfinite(findings.load_w) && plan.nameplate_w > 0.0
          ? fmt::format(", nodes draw {} in the mean, {:.1f} % of their nameplate",
                        format_quantity(findings.load_w, "W"), 100.0 * findings.load_w / plan.nameplate_w)
          : "";
  return fmt::format("work: {}{}\nduration of each run: {}\n\n", plan.work, load, plan.duration);
}

}  // namespace

std::string audit_text(const AuditPlan& plan, const AuditFindings& findings) {
  std::string text =
      fmt::format("{}\n{} parts, {} runs\n\n", plan.plan.study.title, findings.parts.size(), findings.cases);
  text += load_text(plan, findings);
  if (!findings.is_fine_whole)
    text += "even with all parts in service the hall loses work or exceeds a limit: correct that first";
  text += verdict_text("concurrently maintainable", findings.is_maintainable, findings, Kind::maintained);
  text += verdict_text("fault tolerant", findings.is_fault_tolerant, findings, Kind::failed);
  return text + cut_sets_text(plan, findings) + ranking_text(findings);
}

std::string audit_json(const AuditPlan& plan, const AuditFindings& findings) {
  Json json{{"audit", plan.plan.study.title},
            {"parts", findings.parts.size()},
            {"runs", findings.cases},
            {"work", plan.work},
            {"mean_node_power_W", std::isfinite(findings.load_w) ? Json(findings.load_w) : Json()},
            {"nameplate_power_W", plan.nameplate_w},
            {"duration", plan.duration},
            {"fine_with_nothing_out", findings.is_fine_whole},
            {"concurrently_maintainable", findings.is_maintainable},
            {"fault_tolerant", findings.is_fault_tolerant},
            {"cut_sets", findings.cut_sets}};
  json["findings"] = Json::array();
  for (const AuditFinding& finding : findings.costly) {
    Json one{{"run", finding.run}, {"outage", word_of(finding.of.kind)}, {"parts", Json::array()}};
    if (finding.of.kind != Kind::nothing) one["parts"].push_back(findings.parts[finding.of.first]);
    if (finding.of.kind == Kind::pair) one["parts"].push_back(findings.parts[finding.of.second]);
    one["what"] = finding.what;
    one["costs_work"] = finding.costs_work;
    one["after_s"] = std::isfinite(finding.after_s) ? Json(finding.after_s) : Json();
    one["lost_gpu_hours"] = finding.has_answer ? Json(gpu_hours(finding)) : Json();
    json["findings"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string audit_csv(const AuditFindings& findings) {
  std::string text = "rank,run,outage,part,part_2,what,after (s),lost (GPU h),costs_work\n";
  std::size_t rank = 0;
  for (const AuditFinding& finding : findings.costly) {
    std::string what = finding.what;
    std::ranges::replace(what, '"', '\'');
    text += fmt::format("{},{},{},{},{},\"{}\",{},{},{}\n", ++rank, finding.run, word_of(finding.of.kind),
                        finding.of.kind == Kind::nothing ? "" : findings.parts[finding.of.first],
                        finding.of.kind == Kind::pair ? findings.parts[finding.of.second] : "", what,
                        std::isfinite(finding.after_s) ? fmt::format("{}", finding.after_s) : "",
                        finding.has_answer ? fmt::format("{}", gpu_hours(finding)) : "", finding.costs_work ? 1 : 0);
  }
  return text;
}

}  // namespace wattloop::twin
