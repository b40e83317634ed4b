// Which lines of a story to tell where there is room for few: the cause first, then what it came to.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "twin/report/event_story.hpp"

namespace wattloop::twin {

/// At most `most` lines, in the order of time. What is kept: the first cause, the last one before work is slowed or ends, and with what that
/// begins; then other causes, other ends of work, other losses, notices, routine. Where work is slowed or ends, what is neither cause nor loss
/// stands behind the first cause or nowhere.
std::vector<StoryLine> most_telling(std::span<const StoryLine> story, std::size_t most);

}  // namespace wattloop::twin
