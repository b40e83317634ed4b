#include "tests/support/verification.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace wattloop::tests {

void report_verification(const Verified& row) {
  const char* file_name = std::getenv("WATTLOOP_VERIFICATION_ROWS");
  if (file_name == nullptr || *file_name == '\0') return;
  std::ofstream file(file_name, std::ios::app);
  file << fmt::format("{}\t{}\t{}\t{:.17g}\t{:.17g}\t{:.17g}\t{}\t{}\n", row.case_name, row.source, row.quantity,
                      row.ours, row.theirs, row.tolerance, row.unit, row.kind);
  if (!file.flush()) throw std::runtime_error(fmt::format("cannot write {}", file_name));
}

}  // namespace wattloop::tests
