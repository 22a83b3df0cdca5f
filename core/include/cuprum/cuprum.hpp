// Everything of core, in one header.
#pragma once

#include "cuprum/core/argument_check.hpp"
#include "cuprum/core/buffer.hpp"
#include "cuprum/core/cleanup.hpp"
#include "cuprum/core/compile_cache.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/error.hpp"
#include "cuprum/core/event.hpp"
#include "cuprum/core/kernel.hpp"
#include "cuprum/core/launch.hpp"
#include "cuprum/core/linker.hpp"
#include "cuprum/core/memory_resource.hpp"
#include "cuprum/core/object_code.hpp"
#include "cuprum/core/program.hpp"
#include "cuprum/core/stream.hpp"
