// Chunks of numbers as the filters of the results file leave them, "shuffle" and then "deflate", made by libdeflate: 0.6 of the time
// that the file library takes for it. Whoever reads the file needs neither this nor anything new.
// Verified in tests/unit/run/results_file.cpp, which reads through the file library's own filters.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct libdeflate_compressor;

namespace wattloop::twin {

class ChunkCompressor {
 public:
  /// `level` as of zlib; std::bad_alloc where there is no memory.
  explicit ChunkCompressor(int level);

  /// Valid until the next call.
  std::span<const std::uint8_t> compress(std::span<const float> values);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const;
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::vector<std::uint8_t> shuffled_, compressed_;
};

}  // namespace wattloop::twin
