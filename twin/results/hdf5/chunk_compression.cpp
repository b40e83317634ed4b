#include "twin/results/hdf5/chunk_compression.hpp"

#include <libdeflate.h>

#include <bit>
#include <new>
#include <stdexcept>

namespace wattloop::twin {

namespace {

/// All first bytes, then all second ones and so on, the lowest first: numbers that are alike differ in their last planes alone.
void shuffle(std::span<const float> values, std::uint8_t* planes) {
  for (unsigned plane = 0; plane < sizeof(float); ++plane, planes += values.size()) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      planes[k] = static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(values[k]) >> (8 * plane));
    }
  }
}

}  // namespace

void ChunkCompressor::Free::operator()(libdeflate_compressor* compressor) const {
  libdeflate_free_compressor(compressor);
}

ChunkCompressor::ChunkCompressor(int level) : compressor_(libdeflate_alloc_compressor(level)) {
  if (!compressor_) throw std::bad_alloc();
}

std::span<const std::uint8_t> ChunkCompressor::compress(std::span<const float> values) {
  shuffled_.resize(values.size_bytes());
  shuffle(values, shuffled_.data());
  compressed_.resize(libdeflate_zlib_compress_bound(compressor_.get(), shuffled_.size()));
  const std::size_t size = libdeflate_zlib_compress(compressor_.get(), shuffled_.data(), shuffled_.size(),
                                                    compressed_.data(), compressed_.size());
  if (size == 0) throw std::logic_error("a chunk that does not fit its bound");
  return std::span(compressed_).first(size);
}

}  // namespace wattloop::twin
