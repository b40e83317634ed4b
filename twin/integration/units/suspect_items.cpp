#include "twin/integration/units/suspect_items.hpp"

#include <cmath>

namespace wattloop::twin {

namespace {

constexpr double noticeable_flow_ratio = 5e-6;  ///< half of what UnitPass::mismatch_k takes notice of

}  // namespace

SuspectItems::SuspectItems(const Plant& plant, const SeamLayout& seam, const UnitPass& units)
    : readers_(seam.signals.size()) {
  for (const std::size_t signal : seam.signals) is_flow_.push_back(signal >= plant.map.flow(0) ? 1 : 0);
  const auto note = [&](const PortNumbers& signals, std::size_t item) {
    for (const std::size_t signal : signals) {
      std::vector<std::size_t>& readers = readers_[signal];
      if (readers.empty() || readers.back() != item) readers.push_back(item);
    }
  };
  for (std::size_t item = 0; item < units.item_count(); ++item) {
    for (const std::size_t station : units.stations_of(item)) {
      note(seam.stations[station].temperatures, item);
      note(seam.stations[station].flows, item);
    }
  }
}

void SuspectItems::mark(const SignalTangent& predicted, std::span<const double> computed, double largest_mismatch_k,
                        std::span<std::uint8_t> is_suspect) const {
  for (std::size_t k = 0; k < computed.size(); ++k) {
    const double given = predicted.begin[k] + predicted.after_s * predicted.slope_per_s[k];
    const double limit = is_flow_[k] != 0 ? noticeable_flow_ratio * std::abs(computed[k]) : largest_mismatch_k;
    if (std::abs(computed[k] - given) <= limit) continue;  // not so what is not a number
    for (const std::size_t item : readers_[k]) is_suspect[item] = 1;
  }
}

}  // namespace wattloop::twin
