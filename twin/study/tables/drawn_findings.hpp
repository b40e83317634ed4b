// What the draws of a study say of its figures as a whole: a median and a 90 % band of each, how likely each limit is passed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "twin/results/hdf5/hdf5_file.hpp"
#include "twin/study/draws/confidence.hpp"
#include "twin/study/tables/study_table.hpp"

namespace wattloop::twin {

/// Percentiles that are reported: the ends of the band and its middle.
inline constexpr double band_low = 0.05, band_middle = 0.50, band_high = 0.95;

/// Of one figure, over the draws that have it.
struct FigureBand {
  std::size_t column = 0, count = 0;
  Estimate low{}, median{}, high{};  ///< in the unit of the column
};

/// Of one limit: the share of draws that pass it.
struct LimitChance {
  std::size_t column = 0, violating = 0, count = 0;
  Estimate share{};
};

struct DrawnFindings {
  std::size_t draws = 0, without_answer = 0;  ///< done; those that failed are in no band
  std::vector<FigureBand> bands{};
  std::vector<LimitChance> chances{};
};

/// Nothing where rows are not draws of distributions, or none has an answer.
std::optional<DrawnFindings> drawn_findings(const StudyTable& table);

/// Numbers of a band with as many digits as its width asks for; an end that no draw shows is "open".
class BandText {
 public:
  explicit BandText(const FigureBand& band);
  std::string number(double value) const;
  std::string between(const Estimate& estimate) const;  ///< "55.87..56.42"

 private:
  int decimals_ = 6;
};

/// "violated in 3 of 200 draws: 1.5 %, with 90 % confidence 0.4 to 3.8 %".
std::string chance_text(const LimitChance& chance);

/// For people; begins with a line feed.
std::string drawn_text(const StudyTable& table, const DrawnFindings& findings);

/// Which draws are in no band, and whether they are too few for the ends of it; empty where there is nothing to say.
std::vector<std::string> drawn_caveats(const DrawnFindings& findings);

/// An object.
std::string drawn_json(const StudyTable& table, const DrawnFindings& findings);

/// Groups `percentiles` and `limit_shares` of the table's file.
void write_drawn(const StudyTable& table, const DrawnFindings& findings, Hdf5Writer& file);

}  // namespace wattloop::twin
