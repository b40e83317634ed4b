#include "twin/parts/sequence_catalog.hpp"

#include <algorithm>

#include "twin/parts/sequence_kinds.hpp"

namespace wattloop::twin {

namespace {

template <AnySequence S>
SequenceKind sequence_kind() {
  using Params = typename S::Params;
  SequenceKind kind{
      .name = S::kind,
      .doc = S::doc,
      .unit = {},
      .names = {},
      .default_params = [] { return std::any(Params{}); },
      .fields = [](std::any& params) { return field_refs(std::any_cast<Params&>(params)); },
      .mistake = [](const std::any& params) { return S::mistake(std::any_cast<const Params&>(params)); },
      .setting = nullptr,
  };
  if constexpr (Sequence<S>) {
    kind.unit = S::unit;
    kind.setting = [](const std::any& params, const OutsideNow& outside) {
      return S::setting(std::any_cast<const Params&>(params), outside);
    };
  } else {
    static_assert(ModeSequence<S>);
    const auto names = S::names();
    kind.names.assign(names.begin(), names.end());
  }
  return kind;
}

template <class... Kinds>
std::vector<SequenceKind> sequence_kinds_of(const std::tuple<Kinds...>*) {
  return {sequence_kind<Kinds>()...};
}

}  // namespace

std::span<const SequenceKind> sequence_kinds() {
  static const std::vector<SequenceKind> kinds = sequence_kinds_of(static_cast<const SequenceKinds*>(nullptr));
  return kinds;
}

const SequenceKind* find_sequence_kind(std::string_view name) {
  const auto kinds = sequence_kinds();
  const auto found = std::ranges::find(kinds, name, &SequenceKind::name);
  return found == kinds.end() ? nullptr : &*found;
}

std::vector<std::string> sequence_kind_names() {
  std::vector<std::string> names;
  for (const SequenceKind& kind : sequence_kinds()) names.emplace_back(kind.name);
  return names;
}

}  // namespace wattloop::twin
