// All kinds of control sequences: an include and a name each. Nothing else of twin/ lists them.
#pragma once

#include <tuple>

namespace wattloop::twin {

using SequenceKinds = std::tuple<>;

}  // namespace wattloop::twin
