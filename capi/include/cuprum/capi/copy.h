/* Copies and fills of regions: rows of bytes at a distance from each other, as in a part of a matrix or of a volume;
 * and many copies, or many ranges of managed memory, in one call. */
#ifndef CUPRUM_CAPI_COPY_H
#define CUPRUM_CAPI_COPY_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `depth` slices of `height` rows of `width` bytes each, within a buffer or host memory. All three must be at least 1.
 * Rows must not overlap one another, and neither must slices. */
typedef struct cuprum_region {
    uint32_t struct_size;
    uint64_t width;       /* bytes in a row */
    uint64_t height;      /* rows in a slice */
    uint64_t depth;       /* slices */
    uint64_t offset;      /* bytes from the start of the memory to the first row */
    uint64_t row_pitch;   /* bytes from the start of a row to the start of the next; 0: width */
    uint64_t slice_pitch; /* bytes from the start of a slice to the start of the next; 0: height * row pitch */
} cuprum_region;
#define CUPRUM_REGION_INIT {sizeof(cuprum_region), 0, 0, 0, 0, 0, 0}

/* The regions of a copy have the same width, height and depth; their pitches may differ. CUPRUM_ERROR_INVALID_ARGUMENT
 * when a region does not fit into its memory, the shapes differ, or the source overlaps the destination; the driver is
 * then not called. For the rest these are as the copies of buffer.h. */

/* `source_size`: bytes of host memory at `source`.
 * @does copying a region from host memory
 * @nullable source stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_copy_region_from_host(cuprum_buffer buffer, const cuprum_region* region,
                                                             const void* source, uint64_t source_size,
                                                             const cuprum_region* source_region, cuprum_stream stream);
/* `destination_size`: bytes of host memory at `destination`.
 * @does copying a region to host memory
 * @nullable destination stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_copy_region_to_host(void* destination, uint64_t destination_size,
                                                           const cuprum_region* destination_region,
                                                           cuprum_buffer buffer, const cuprum_region* region,
                                                           cuprum_stream stream);
/* @does copying a region between buffers
 * @nullable stream
 * @blocks */
CUPRUM_API cuprum_status cuprum_buffer_copy_region(cuprum_buffer destination, const cuprum_region* destination_region,
                                                   cuprum_buffer source, const cuprum_region* source_region,
                                                   cuprum_stream stream);
/* Fills with a pattern of 1, 2 or 4 bytes; the width, the pitches and the address of the first row must be multiples of
 * its size.
 * @does filling a region
 * @nullable stream */
CUPRUM_API cuprum_status cuprum_buffer_fill_region(cuprum_buffer buffer, const cuprum_region* region, uint32_t pattern,
                                                   uint32_t pattern_size, cuprum_stream stream);

/* When the sources of a batch are read: in the stream's order; before the call returns; at any time until the copy is
 * done. For the last two no earlier work may still write them. */
enum { CUPRUM_COPY_SOURCE_STREAM = 1, CUPRUM_COPY_SOURCE_DURING_API_CALL = 2, CUPRUM_COPY_SOURCE_ANY = 3 };

/* Hints, which change no result. Locations are CUPRUM_LOCATION_*, with the device's ordinal or the NUMA node, and apply
 * to managed memory. */
typedef struct cuprum_copy_options {
    uint32_t struct_size;
    int32_t source_access_order; /* CUPRUM_COPY_SOURCE_*; 0: in the stream's order */
    int32_t source_location_kind;
    int32_t source_location_id;
    int32_t destination_location_kind;
    int32_t destination_location_id;
    int32_t prefer_overlap_with_compute; /* 1: rather beside kernels than fast */
} cuprum_copy_options;
#define CUPRUM_COPY_OPTIONS_INIT {sizeof(cuprum_copy_options), 0, 0, 0, 0, 0, 0}

/* Batches. Buffers are passed as an array of cuprum_buffer, and its size in bytes. */

/* Copies each source to the destination of its number, which has the same size, in the stream's order. The copies
 * themselves take place in any order or at once: a destination must overlap neither a source nor another destination.
 * CUPRUM_ERROR_INVALID_ARGUMENT when the numbers or sizes differ, or memory overlaps; nothing is copied then. Where the
 * driver has no batches, the buffers are copied one after another.
 * @does copying a batch of buffers
 * @nullable sources destinations options
 * @blocks */
CUPRUM_API cuprum_status cuprum_copy_batch(cuprum_stream stream, const void* sources, uint64_t sources_size,
                                           const void* destinations, uint64_t destinations_size,
                                           const cuprum_copy_options* options);
/* As cuprum_buffer_prefetch for each buffer. `locations`: an array of pairs of int32_t, CUPRUM_LOCATION_* and the
 * device's ordinal or the NUMA node; one for each buffer, or one for all.
 * @does prefetching a batch of buffers
 * @nullable buffers
 * @blocks */
CUPRUM_API cuprum_status cuprum_prefetch_batch(cuprum_stream stream, const void* buffers, uint64_t buffers_size,
                                               const void* locations, uint64_t locations_size);
/* As cuprum_buffer_discard for each buffer.
 * @does discarding a batch of buffers
 * @nullable buffers */
CUPRUM_API cuprum_status cuprum_discard_batch(cuprum_stream stream, const void* buffers, uint64_t buffers_size);
/* As cuprum_buffer_discard_prefetch for each buffer, with locations as for cuprum_prefetch_batch.
 * @does discarding and prefetching a batch of buffers
 * @nullable buffers
 * @blocks */
CUPRUM_API cuprum_status cuprum_discard_prefetch_batch(cuprum_stream stream, const void* buffers, uint64_t buffers_size,
                                                       const void* locations, uint64_t locations_size);

#ifdef __cplusplus
}
#endif
#endif
