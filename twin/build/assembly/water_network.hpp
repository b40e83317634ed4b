// The network of a water system whose flows follow from pressures: pumps with check valves between the return and the supply
// header, users between supply and return. Users are what the pumps of the system move water through; the bypass between the
// headers is wide, so that their difference is that of the pumps.
//
//   R of a user: takes its design flow from the rated pressure of the pumps, less what the headers take up to it, everything open
//
// Water from outside whose pressure is controlled between supply and return has a branch that makes it instead of pumps, with a resistance
// next to none.
//
// Users hang on the headers in the order in which they are declared, at equal distances where the headers have a pressure drop.
#pragma once

#include "twin/build/assembly/diagram.hpp"

namespace wattloop::twin {

/// Takes the flows that such pumps and pressures drive from the balanced ones and makes networks of them.
void make_water_networks(Diagram& diagram);

}  // namespace wattloop::twin
