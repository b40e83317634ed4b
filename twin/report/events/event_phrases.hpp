// What events of each kind say in the summary of a run.
#pragma once

#include <array>
#include <string_view>

#include "twin/report/events/event_summary.hpp"

namespace wattloop::twin {

/// `{}`: who.
struct EventPhrase {
  std::string_view kind, words;
  Weight weight;
};

inline constexpr std::array event_phrases{
    EventPhrase{"fail", "{} failed", Weight::cause},
    EventPhrase{"open", "{} opened", Weight::cause},
    EventPhrase{"close", "{} closed", Weight::cause},
    EventPhrase{"stop", "{} stopped", Weight::cause},
    EventPhrase{"start", "{} started", Weight::notice},
    EventPhrase{"restore", "{} restored", Weight::cause},
    EventPhrase{"tripped", "{} tripped", Weight::loss},
    EventPhrase{"trip", "{} tripped", Weight::loss},
    EventPhrase{"on_battery", "{} on battery", Weight::loss},
    EventPhrase{"off_battery", "{} off battery", Weight::notice},
    EventPhrase{"battery_empty", "{}: battery empty", Weight::loss},
    EventPhrase{"generator_on_load", "{} carries load", Weight::notice},
    EventPhrase{"generator_off_load", "{} without load", Weight::notice},
    EventPhrase{"transfer", "{} transferred", Weight::routine},
    EventPhrase{"tap", "{} stepped", Weight::routine},
    EventPhrase{"loop_closed", "{} carries nothing in a loop", Weight::notice},
    EventPhrase{"feeds_in_parallel", "{} joins two live feeds", Weight::loss},
    EventPhrase{"reset", "{} reset", Weight::routine},
    EventPhrase{"stage", "{} staged", Weight::routine},
    EventPhrase{"economiser", "{} changed its mode", Weight::routine},
    EventPhrase{"slow", "{} slow", Weight::cause},
    EventPhrase{"job_stopped", "{} stopped", Weight::loss},
    EventPhrase{"job_resumed", "{} goes on", Weight::notice},
    EventPhrase{"job_shrunk", "fewer nodes for {}", Weight::loss},
    EventPhrase{"job_grown", "more nodes for {}", Weight::notice},
    EventPhrase{"job_slowed", "{} slowed", Weight::loss},
    EventPhrase{"job_network", "network of {}", Weight::loss},
    EventPhrase{"fabric_lost", "{} lost", Weight::loss},
    EventPhrase{"job_requeued", "{} gave its nodes back", Weight::loss},
    EventPhrase{"job_over_limit", "{} not done", Weight::loss},
    EventPhrase{"job_started", "{} started", Weight::routine},
    EventPhrase{"job_ended", "{} done", Weight::routine},
    EventPhrase{"failure", "failure of {}", Weight::cause},
    EventPhrase{"spare_nodes", "spare nodes of {}", Weight::notice},
    EventPhrase{"job_full_speed", "{} at full speed", Weight::notice},
    EventPhrase{"burn_in_outlier", "{} is an outlier", Weight::loss},
    EventPhrase{"burn_in_done", "{} tested", Weight::notice},
};

}  // namespace wattloop::twin
