// All of the library (docs/library.md).
#pragma once

#include <wattloop/errors.hpp>
#include <wattloop/hall.hpp>
#include <wattloop/runs.hpp>
