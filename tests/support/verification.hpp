// Rows of docs/verification.md, written by the tests themselves. A row is a record, never a check: the test
// case keeps its own CHECK of the same two numbers. scripts/verification_table runs the tests and makes the
// table; it refuses a row that is there already, and one that does not say how theirs is independent. So does
// the last test of a ctest run.
#pragma once

#include <string>

namespace wattloop::tests {

/// One compared number.
struct Verified {
  std::string case_name;  ///< what is verified: "counterflow effectiveness, NTU 2, capacity ratio 0.5"
  std::string source;     ///< where theirs comes from: a key of docs/references.bib or "closed form"
  std::string quantity;   ///< "effectiveness"
  double ours = 0.0;
  double theirs = 0.0;
  double tolerance = 0.0;  ///< largest |ours - theirs| that the test accepts
  std::string unit;        ///< "K"; "1" for a ratio
  /// Closed form, published, measured, other tool, second reading, reference integrator or fit; empty for the kind that
  /// scripts/verification_table knows of the source.
  std::string kind = {};
};

/// Appends one row to the file named by `$WATTLOOP_VERIFICATION_ROWS`; does nothing where that is not set.
void report_verification(const Verified& row);

}  // namespace wattloop::tests
