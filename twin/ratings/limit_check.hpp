// Limits of parts at nameplate load: how near the hall comes to each, with nothing out and with one thing out at a time. What parts are
// rated for stands in the table of ratings (twin/ratings/rating_check.hpp); here are temperatures, of parts and of dies.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/limit.hpp"
#include "twin/plant/limited_quantities.hpp"
#include "twin/ratings/nameplate_hall.hpp"
#include "twin/scenario/scenario.hpp"

namespace wattloop::twin {

/// A value that comes near a limit, and the part that it is of.
struct NearLimit {
  std::string part, quantity;
  double value = 0.0;
  double limit = 0.0;
  double margin = std::numeric_limits<double>::infinity();  ///< what is left; negative beyond the limit
  std::string out = Outage{}.text;
};

/// A limit, and how near all parts that have it come to it, by any of their quantities.
struct LimitMargin {
  std::string of;  ///< "racks", "dies of hgx"
  std::string why;
  std::string_view unit;
  Beyond beyond = Beyond::log;
  Side side = Side::above;
  NearLimit whole = {};                 ///< with nothing out
  std::optional<NearLimit> worst = {};  ///< with one thing out, where that comes nearer

  const NearLimit& nearest() const { return worst ? *worst : whole; }
  bool is_kept() const { return nearest().margin >= 0.0; }
};

class LimitTable {
 public:
  LimitTable(const Plant& plant, const Scenario& scenario);

  /// The hall at rest with that out.
  void take(const Outage& outage, const Moment& moment);

  /// Of limits that any part has; limits of dies last. Empty where no rest was found.
  std::vector<LimitMargin> margins() const { return margins_; }

 private:
  /// Those of a kind that are told together, by their numbers.
  struct Parts {
    std::string of;
    std::size_t first, count;
  };
  void take_parts(const LimitedQuantity& quantity, const Parts& parts, const Outage& outage);
  void take_quantity(const LimitedQuantity& quantity, const Outage& outage, const Moment& moment);
  void take_hot_air(const Outage& outage, const Moment& moment);
  void take_inlet(const Outage& outage, const Moment& moment);
  void take_dies(std::size_t group, const Outage& outage, const Moment& moment);
  LimitMargin& margin_of(const LimitMargin& like);

  const std::vector<LimitedQuantity> quantities_;
  const NodeCouplings nodes_;
  std::vector<LimitMargin> margins_;
  std::vector<double> values_;
};

/// One sentence for a limit that is not kept.
std::string warning_text(const LimitMargin& margin);

/// A table for people.
std::string limit_table(const std::vector<LimitMargin>& margins);

}  // namespace wattloop::twin
