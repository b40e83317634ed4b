#include "core/numbers/instruction_level.hpp"

#include <algorithm>
#include <array>

namespace wattloop {

namespace {

constexpr std::array<std::string_view, 3> names{"v2", "v3", "v4"};

}  // namespace

std::string_view name_of(InstructionLevel level) { return names[static_cast<std::size_t>(level)]; }

std::optional<InstructionLevel> level_named(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return {};
  return static_cast<InstructionLevel>(found - names.begin());
}

std::vector<InstructionLevel> all_levels() {
  return {InstructionLevel::v2, InstructionLevel::v3, InstructionLevel::v4};
}

std::optional<InstructionLevel> level_of_processor() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return InstructionLevel::v4;
  if (__builtin_cpu_supports("x86-64-v3")) return InstructionLevel::v3;
  if (__builtin_cpu_supports("x86-64-v2")) return InstructionLevel::v2;
#endif
  return {};
}

std::string_view instructions() { return WATTLOOP_INSTRUCTIONS; }

std::optional<InstructionLevel> chosen_level(std::string_view asked, std::optional<InstructionLevel> of_processor,
                                             const std::vector<InstructionLevel>& there) {
  const auto requested = level_named(asked);
  std::optional<InstructionLevel> best;
  for (const InstructionLevel level : there) {
    if (!of_processor || level > *of_processor) continue;
    if (requested == level) return level;
    if (!best || level > *best) best = level;
  }
  return best;
}

}  // namespace wattloop
