// Times of communication that a training job asks for. Who knows the network answers.
#pragma once

namespace wattloop::workload {

enum class Exchange { all_reduce, reduce_scatter, all_gather, all_to_all, point_to_point };

/// Ranks that communicate: so many, whose numbers are `stride` apart. All groups of the job communicate at once.
struct RankGroup {
  int ranks = 1;
  int stride = 1;
};

class CommunicationTimes {
 public:
  virtual ~CommunicationTimes() = default;

  /// Bytes as network/collectives/collective_time.hpp counts them: the buffer of a rank before reduce-scatter and after all-gather. 0 for one rank.
  virtual double time_s(Exchange exchange, const RankGroup& group, double bytes_b) const = 0;
};

/// Of GPUs whose links take no time.
class NoCommunication final : public CommunicationTimes {
 public:
  double time_s(Exchange, const RankGroup&, double) const override { return 0.0; }
};

}  // namespace wattloop::workload
