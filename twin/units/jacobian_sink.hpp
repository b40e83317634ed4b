// Where components write their partial derivatives. Rows are sinks (state slots and electrical loads), columns are
// signals (states, flows, inputs); the assembler behind it applies heat capacities and the chain rule through flows.
#pragma once

#include <cstddef>

namespace wattloop::twin {

class JacobianSink {
 public:
  virtual ~JacobianSink() = default;

  /// d(sink) / d(signal). Calls come in the same order, with the same indices, at every evaluation.
  virtual void add(std::size_t sink, std::size_t signal, double derivative) = 0;
};

}  // namespace wattloop::twin
