/* Linking compiled code, with nvJitLink. */
#ifndef CUPRUM_CAPI_LINKER_H
#define CUPRUM_CAPI_LINKER_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `name` is that of the linked code, in errors; NULL or "" for a default. `options` are nvJitLink's own ("-arch=sm_90",
 * "-maxrregcount=32"). The default architecture is that of device 0. What the target needs, "-ptx" and "-lto", is
 * added when it is linked. Names after "-kernels-used=" and "-variables-used=" may be name expressions of the inputs.
 * All text is copied.
 * @does making a linker
 * @nullable name options */
CUPRUM_API cuprum_status cuprum_linker_create(cuprum_linker* linker_out, const char* name, const char* const* options,
                                              uint32_t option_count);
/* NULL is accepted and ignored. What it has linked stays usable.
 * @does destroying a linker
 * @nullable linker
 * @blocks */
CUPRUM_API cuprum_status cuprum_linker_destroy(cuprum_linker linker);
/* One more input, of any code type. It is checked to be whole and of the kind that its type says
 * (CUPRUM_ERROR_INVALID_ARGUMENT), and kept: the handle may be destroyed. nvJitLink is asked when it is linked.
 * @does adding an input to a linker
 * @blocks */
CUPRUM_API cuprum_status cuprum_linker_add(cuprum_linker linker, cuprum_object_code object_code);
/* Links all inputs to CUPRUM_CODE_CUBIN (CUPRUM_CODE_NATIVE is the same) or, where all are LTO-IR, to CUPRUM_CODE_PTX.
 * May be called again, also with more inputs. The name expressions of the inputs are those of the result. Blocks while
 * linking. CUPRUM_ERROR_NVJITLINK when the inputs do not match each other or the architecture: cuprum_error_info.log
 * has the log. The caller owns the object code.
 * @does linking
 * @blocks */
CUPRUM_API cuprum_status cuprum_linker_link(cuprum_object_code* object_code_out, cuprum_linker linker,
                                            int32_t code_type);
/* The errors that nvJitLink reported in the last link; empty if there were none.
 * @does asking for the error log of a linker
 * @method get_error_log */
CUPRUM_API cuprum_status cuprum_linker_error_log(const char** log_out, cuprum_linker linker);
/* What else nvJitLink reported in the last link, such as times, details and warnings; empty if nothing.
 * @does asking for the info log of a linker
 * @method get_info_log */
CUPRUM_API cuprum_status cuprum_linker_info_log(const char** log_out, cuprum_linker linker);
/* An nvJitLinkHandle that has all inputs, made at the first call; valid until another input is added, and as long as
 * the linker. As with all nvJitLink handles, only the thread that asked first may use it.
 * @does asking for the handle of a linker
 * @property handle */
CUPRUM_API cuprum_status cuprum_linker_native(uint64_t* native_out, cuprum_linker linker);

#ifdef __cplusplus
}
#endif
#endif
