// What a run begins with.
#pragma once

namespace wattloop::twin {

/// The state in which a run begins (docs/step_contract.md): settled under its work, the steady state of its first instant, or water and
/// air at their set-points.
enum class InitialState { settled, steady, cold };

}  // namespace wattloop::twin
