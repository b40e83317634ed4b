// `breaker:` of a branch of the one-line diagram: a breaker or a fuse in series with it.
#pragma once

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/scenario/specs/one_line_spec.hpp"

namespace wattloop::twin {

/// Reads it and adds it to `spec` as a branch of its own, `NAME.breaker`, with a bus between the two, `NAME.terminals`: behind a transformer or a UPS, before
/// what else there is. `of` is not in `spec` yet; one of its ends becomes that bus.
void add_breaker(const Node& said, DrawnBranch& of, OneLineSpec& spec, Problems& problems);

}  // namespace wattloop::twin
