// Process-wide options of the bindings.
#pragma once

namespace cuprum::bindings {

/// Whether the null stream is each thread's own default stream instead of the legacy one: whether functions that have
/// two variants are looked up as their _ptsz and _ptds ones. False, unless CUPRUM_PER_THREAD_DEFAULT_STREAM=1 or
/// use_per_thread_default_stream says otherwise. Throws InvalidArgument for any value but 0, 1 or empty.
/// Thread-safe.
bool per_thread_default_stream();

/// Sets it for the whole process, before its first call: throws InvalidState if the driver or the runtime is already
/// open and this would change what was decided then. Thread-safe.
void use_per_thread_default_stream(bool enabled = true);

}  // namespace cuprum::bindings
