/* Graphs: work that is described once and launched often, with one call for all of it. */
#ifndef CUPRUM_CAPI_GRAPH_H
#define CUPRUM_CAPI_GRAPH_H

#include "cuprum/capi/base.h"
#include "cuprum/capi/launch.h"
#include "cuprum/capi/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a node is. The driver's numbers. */
enum {
    CUPRUM_GRAPH_NODE_KERNEL = 0,
    CUPRUM_GRAPH_NODE_MEMCPY = 1,
    CUPRUM_GRAPH_NODE_MEMSET = 2,
    CUPRUM_GRAPH_NODE_HOST = 3,
    CUPRUM_GRAPH_NODE_CHILD_GRAPH = 4,
    CUPRUM_GRAPH_NODE_EMPTY = 5,
    CUPRUM_GRAPH_NODE_EVENT_WAIT = 6,
    CUPRUM_GRAPH_NODE_EVENT_RECORD = 7,
    CUPRUM_GRAPH_NODE_ALLOCATION = 10,
    CUPRUM_GRAPH_NODE_FREE = 11,
    CUPRUM_GRAPH_NODE_BATCH_MEMORY_OPERATION = 12,
    CUPRUM_GRAPH_NODE_CONDITIONAL = 13
};

/* Which calls are refused while a graph is built, because what they do could not be captured. */
enum {
    CUPRUM_GRAPH_BUILD_GLOBAL = 0,       /* in all threads */
    CUPRUM_GRAPH_BUILD_THREAD_LOCAL = 1, /* in this thread */
    CUPRUM_GRAPH_BUILD_RELAXED = 2       /* none: the program sees to it */
};

/* What a conditional node decides. */
enum {
    CUPRUM_GRAPH_CONDITIONAL_IF = 0,    /* one body, or a second one for a condition that is 0 */
    CUPRUM_GRAPH_CONDITIONAL_WHILE = 1, /* the body runs again and again while the condition is not 0 */
    CUPRUM_GRAPH_CONDITIONAL_SWITCH = 2 /* the body whose number the condition is; none where there is no such body */
};

/* In place of a CUPRUM_WAIT_* condition: the word is written. */
enum { CUPRUM_GRAPH_WRITE_VALUE = -1 };

/* Where an allocation node's memory is. */
enum { CUPRUM_GRAPH_MEMORY_DEVICE = 0, CUPRUM_GRAPH_MEMORY_HOST = 1, CUPRUM_GRAPH_MEMORY_MANAGED = 2 };

/* What a node was made of: cuprum_graph_definition_node_value(). */
enum {
    CUPRUM_GRAPH_NODE_VALUE_TYPE = 0,   /* CUPRUM_GRAPH_NODE_*; of every node */
    CUPRUM_GRAPH_NODE_VALUE_NATIVE = 1, /* the CUgraphNode; of every node */
    CUPRUM_GRAPH_NODE_VALUE_GRID_X = 2, /* of kernel nodes, in blocks; and what follows */
    CUPRUM_GRAPH_NODE_VALUE_GRID_Y = 3,
    CUPRUM_GRAPH_NODE_VALUE_GRID_Z = 4,
    CUPRUM_GRAPH_NODE_VALUE_BLOCK_X = 5,
    CUPRUM_GRAPH_NODE_VALUE_BLOCK_Y = 6,
    CUPRUM_GRAPH_NODE_VALUE_BLOCK_Z = 7,
    CUPRUM_GRAPH_NODE_VALUE_SHARED_MEMORY = 8,     /* dynamic, bytes per block */
    CUPRUM_GRAPH_NODE_VALUE_DESTINATION = 9,       /* of memcpy and memset nodes, an address */
    CUPRUM_GRAPH_NODE_VALUE_SOURCE = 10,           /* of memcpy nodes, an address */
    CUPRUM_GRAPH_NODE_VALUE_SIZE = 11,             /* of memcpy and allocation nodes, bytes */
    CUPRUM_GRAPH_NODE_VALUE_VALUE = 12,            /* of memset and memory operation nodes; and what follows */
    CUPRUM_GRAPH_NODE_VALUE_ELEMENT_SIZE = 13,     /* bytes */
    CUPRUM_GRAPH_NODE_VALUE_WIDTH = 14,            /* of memset nodes, elements; and what follows */
    CUPRUM_GRAPH_NODE_VALUE_HEIGHT = 15,           /* rows */
    CUPRUM_GRAPH_NODE_VALUE_PITCH = 16,            /* bytes */
    CUPRUM_GRAPH_NODE_VALUE_ADDRESS = 17,          /* of allocation, free and memory operation nodes */
    CUPRUM_GRAPH_NODE_VALUE_DEVICE = 18,           /* of allocation nodes, an ordinal; and what follows */
    CUPRUM_GRAPH_NODE_VALUE_MEMORY_TYPE = 19,      /* CUPRUM_GRAPH_MEMORY_* */
    CUPRUM_GRAPH_NODE_VALUE_PEER_DEVICES = 20,     /* bit n is device n */
    CUPRUM_GRAPH_NODE_VALUE_EVENT = 21,            /* of event nodes, the CUevent */
    CUPRUM_GRAPH_NODE_VALUE_CONDITION = 22,        /* of conditional nodes; and what follows */
    CUPRUM_GRAPH_NODE_VALUE_CONDITIONAL_TYPE = 23, /* CUPRUM_GRAPH_CONDITIONAL_* */
    CUPRUM_GRAPH_NODE_VALUE_BODY_COUNT = 24,
    CUPRUM_GRAPH_NODE_VALUE_WAIT_CONDITION = 25, /* of memory operation nodes, CUPRUM_WAIT_*, 2^64 - 1 of a write */
    CUPRUM_GRAPH_NODE_VALUE_FLUSH = 26,          /* of memory operation nodes, 0 or 1 */
    CUPRUM_GRAPH_NODE_VALUE_CLUSTER_X = 27,      /* of kernel nodes, in blocks, 1 without clusters; and what follows */
    CUPRUM_GRAPH_NODE_VALUE_CLUSTER_Y = 28,
    CUPRUM_GRAPH_NODE_VALUE_CLUSTER_Z = 29,
    CUPRUM_GRAPH_NODE_VALUE_IS_COOPERATIVE = 30,
    CUPRUM_GRAPH_NODE_VALUE_PRIORITY = 31,          /* an int64_t; 0: the driver's own; so with the following */
    CUPRUM_GRAPH_NODE_VALUE_MEMORY_CARVEOUT = 32,   /* percent of shared memory */
    CUPRUM_GRAPH_NODE_VALUE_MEMORY_SYNC_DOMAIN = 33 /* CUPRUM_MEMORY_SYNC_DOMAIN_*, or 0 */
};

/* Called once, on a thread that uses Cuprum, when nothing can call the function with this `user_data` any more. May
 * use Cuprum. Not called once the process exits. */
typedef void (*cuprum_graph_release)(void* user_data);

typedef struct cuprum_graph_complete_options {
    uint32_t struct_size;
    int32_t auto_free_on_launch; /* default 0; 1: a launch frees what the one before has allocated and not freed */
    int32_t device_launch;       /* default 0; 1: kernels can launch it; not together with auto_free_on_launch */
    int32_t use_node_priority;   /* default 0; 1: nodes run with priorities of their own */
    cuprum_stream upload_stream; /* default NULL; uploaded in this stream at once */
} cuprum_graph_complete_options;
#define CUPRUM_GRAPH_COMPLETE_OPTIONS_INIT {sizeof(cuprum_graph_complete_options), 0, 0, 0, 0}

/* ---- Builders: capture what is put into a stream, from cuprum_graph_builder_begin_building() to
 * cuprum_graph_builder_end_building(), into a graph. None of it runs. What cannot be in a graph, as waiting for the
 * stream, fails and makes the capture invalid. Kernels, buffers and arrays of captured launches, copies and fills are
 * kept until the graph is closed and its launches have ended: the handles may be destroyed before. Texture and surface
 * objects, and memory that no buffer owns, are the caller's to keep. */

/* A builder that captures in the stream, which it keeps. The caller owns the builder. CUPRUM_ERROR_INVALID_ARGUMENT
 * when it is the legacy default stream, which cannot be captured.
 * @does making a graph builder
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_builder_create(cuprum_graph_builder* builder_out, cuprum_stream stream);
/* A builder with a stream of its own on the device. The caller owns the builder.
 * @does making a graph builder
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_builder_create_on_device(cuprum_graph_builder* builder_out, int32_t device);
/* NULL is accepted and ignored. A capture that is under way ends, and what it has captured is lost. Definitions and
 * graphs stay.
 * @does destroying a graph builder
 * @nullable builder
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_builder_destroy(cuprum_graph_builder builder);
/* The stream that it captures in. The caller owns the handle, which keeps the stream.
 * @does asking for a graph builder's stream */
CUPRUM_API cuprum_status cuprum_graph_builder_stream(cuprum_stream* stream_out, cuprum_graph_builder builder);
/* Begins to capture; once. `mode`: CUPRUM_GRAPH_BUILD_*. CUPRUM_ERROR_INVALID_STATE when it is building already or has
 * ended.
 * @does beginning to build a graph
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_builder_begin_building(cuprum_graph_builder builder, int32_t mode);
/* Ends the capture. CUPRUM_ERROR_INVALID_STATE when a builder that was split off was not joined, or the capture has
 * become invalid; then the graph is lost.
 * @does ending to build a graph
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_builder_end_building(cuprum_graph_builder builder);
/* Whether it captures what is put into its stream.
 * @does asking whether a graph is being built
 * @truth building_out
 * @property */
CUPRUM_API cuprum_status cuprum_graph_builder_is_building(int32_t* building_out, cuprum_graph_builder builder);
/* Whether it was split off another one, and must be joined before building ends.
 * @does asking whether a graph builder must be joined
 * @truth required_out
 * @property */
CUPRUM_API cuprum_status cuprum_graph_builder_is_join_required(int32_t* required_out, cuprum_graph_builder builder);
/* What was built; of the body of a conditional node also before building begins. The caller owns the definition.
 * CUPRUM_ERROR_INVALID_STATE while it builds, and of a builder that was split off.
 * @does asking for the definition of a built graph
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_builder_graph_definition(cuprum_graph_definition* definition_out,
                                                               cuprum_graph_builder builder);
/* Another builder of the same graph, with a stream of its own: its work comes after all of this one's so far, and
 * beside what follows. The caller owns it.
 * @does splitting a graph builder
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_builder_split(cuprum_graph_builder* split_out, cuprum_graph_builder builder);
/* What follows in `builder` comes after the work of `other`, too, which was split off, and is closed: its handle is
 * still the caller's to destroy.
 * @does joining graph builders
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_builder_join(cuprum_graph_builder builder, cuprum_graph_builder other);
/* A condition for one conditional node, which kernels set (cudaGraphSetConditional) and get as an 8-byte argument.
 * `has_default` 0: it keeps the value of the last launch.
 * @does making a condition of a graph
 * @truth has_default
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_builder_create_condition(uint64_t* condition_out, cuprum_graph_builder builder,
                                                               int32_t has_default, uint32_t default_value);
/* A conditional node after all work so far. `type`: CUPRUM_GRAPH_CONDITIONAL_*; `count` of bodies, which are then taken
 * with cuprum_graph_builder_take_body().
 * @does adding a conditional node to a graph that is being built
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_builder_add_conditional(uint64_t* node_out, cuprum_graph_builder builder,
                                                              uint64_t condition, int32_t type, uint32_t count);
/* The builder of a body of that node, once; the caller owns it. It is built as a graph is, in whatever order, before
 * the graph is instantiated.
 * @does taking the body of a conditional node
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_builder_take_body(cuprum_graph_builder* body_out, cuprum_graph_builder builder,
                                                        uint64_t node, uint32_t index);
/* A copy of another graph as one node, after all work so far.
 * @does embedding a graph
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_builder_embed(cuprum_graph_builder builder, cuprum_graph_definition child);
/* A function that runs in every launch, after all work so far, under the rules of cuprum_stream_launch_host_function().
 * `release` is called when the graph, and what was instantiated from it, are gone; not if this fails.
 * @does adding a callback to a graph that is being built
 * @nullable release user_data
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_builder_callback(cuprum_graph_builder builder, cuprum_host_function function,
                                                       cuprum_graph_release release, void* user_data);

/* ---- Definitions: what a graph does, node by node. A definition that a handle stands for may be a part of another
 * one, the body of a conditional node or the graph of a child graph node; it keeps that.
 *
 * A node is a number that no other node of this process ever has. `after`: the node of the definition that a new one
 * comes after; 0: it is at the beginning. CUPRUM_ERROR_INVALID_ARGUMENT for the number of no node of the definition.
 * Handles given as owners are kept, with what they stand for, until the node is gone, and nothing that was
 * instantiated can run: they may be destroyed at once. */

/* An empty graph, whose work runs on the device. The caller owns the definition.
 * @does making a graph definition
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_create(cuprum_graph_definition* definition_out, int32_t device);
/* NULL is accepted and ignored. What was instantiated stays.
 * @does destroying a graph definition
 * @nullable definition
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_destroy(cuprum_graph_definition definition);
/* Whether it is there: 0 of a part of a graph once its node is destroyed.
 * @does asking whether a graph definition is valid
 * @truth valid_out
 * @property */
CUPRUM_API cuprum_status cuprum_graph_definition_is_valid(int32_t* valid_out, cuprum_graph_definition definition);
/* The CUgraph, as an integer; valid as long as the definition is.
 * @does asking for a graph definition's handle
 * @property handle */
CUPRUM_API cuprum_status cuprum_graph_definition_native(uint64_t* native_out, cuprum_graph_definition definition);
/* The device that its work runs on.
 * @does asking for a graph definition's device
 * @property */
CUPRUM_API cuprum_status cuprum_graph_definition_device(int32_t* device_out, cuprum_graph_definition definition);

/* A kernel's launch. Arguments and configuration are checked as by cuprum_launch(); buffers among the arguments are
 * kept.
 * @does adding a kernel node
 * @nullable arguments
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_kernel(uint64_t* node_out, cuprum_graph_definition definition,
                                                            uint64_t after, const cuprum_launch_config* config,
                                                            cuprum_kernel kernel, const cuprum_argument* arguments,
                                                            uint32_t argument_count);
/* A copy of `size` bytes between memory of devices and page-locked host memory. The owners, which may be NULL, are the
 * buffers that the addresses are in: CUPRUM_ERROR_INVALID_ARGUMENT when one has fewer bytes.
 * @does adding a memcpy node
 * @nullable destination_owner source_owner
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_memcpy(uint64_t* node_out, cuprum_graph_definition definition,
                                                            uint64_t after, uint64_t destination, uint64_t source,
                                                            uint64_t size, cuprum_buffer destination_owner,
                                                            cuprum_buffer source_owner);
/* A fill of `height` rows of `width` elements of 1, 2 or 4 bytes, `pitch` bytes from one row to the next.
 * @does adding a memset node
 * @nullable destination_owner
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_memset(uint64_t* node_out, cuprum_graph_definition definition,
                                                            uint64_t after, uint64_t destination, uint32_t value,
                                                            uint32_t element_size, uint64_t width, uint64_t height,
                                                            uint64_t pitch, cuprum_buffer destination_owner);
/* A function that runs in every launch, under the rules of cuprum_stream_launch_host_function(). `release` is called
 * when the node, and what was instantiated with it, are gone; not if this fails.
 * @does adding a host callback node
 * @nullable release user_data
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_callback(uint64_t* node_out, cuprum_graph_definition definition,
                                                              uint64_t after, cuprum_host_function function,
                                                              cuprum_graph_release release, void* user_data);
/* Records the event, which is kept.
 * @does adding an event record node
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_event_record(uint64_t* node_out,
                                                                  cuprum_graph_definition definition, uint64_t after,
                                                                  cuprum_event event);
/* Waits for the event, which is kept.
 * @does adding an event wait node
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_event_wait(uint64_t* node_out, cuprum_graph_definition definition,
                                                                uint64_t after, cuprum_event event);
/* Waits until the word of `word_size` 4 or 8 bytes at byte `offset` of the buffer, which is kept, fulfils the condition
 * (CUPRUM_WAIT_*), or writes it (CUPRUM_GRAPH_WRITE_VALUE). `flush`: 1: what other devices have written before a wait
 * ends is then visible, too. CUPRUM_ERROR_INVALID_ARGUMENT when the word is not aligned to its size or not inside the
 * buffer, and for memory of a pool and managed memory.
 * @does adding a memory operation node
 * @truth flush
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_memory_operation(
    uint64_t* node_out, cuprum_graph_definition definition, uint64_t after, cuprum_buffer buffer, uint64_t offset,
    uint64_t value, uint32_t word_size, int32_t condition, int32_t flush);
/* Signals an external semaphore that the driver has imported, a CUexternalSemaphore as an integer, which the caller
 * keeps; `wait`: 1: waits for it. `value`: of a timeline or a fence.
 * @does adding an external semaphore node
 * @truth wait
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_external_semaphore(uint64_t* node_out,
                                                                        cuprum_graph_definition definition,
                                                                        uint64_t after, uint64_t semaphore,
                                                                        uint64_t value, int32_t wait);
/* A copy of another graph, without allocation, free and conditional nodes.
 * @does adding a child graph node
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_child_graph(uint64_t* node_out, cuprum_graph_definition definition,
                                                                 uint64_t after, cuprum_graph_definition child);
/* A node that does nothing.
 * @does adding an empty node
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_empty(uint64_t* node_out, cuprum_graph_definition definition,
                                                           uint64_t after);
/* Memory that is there from this node on, at the same address in every launch (CUPRUM_GRAPH_NODE_VALUE_ADDRESS).
 * `device` -1: the definition's. `memory_type`: CUPRUM_GRAPH_MEMORY_*. `peer_devices`: further devices that use it, bit
 * n is device n.
 * @does adding an allocation node
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_allocation(uint64_t* node_out, cuprum_graph_definition definition,
                                                                uint64_t after, uint64_t size, int32_t device,
                                                                int32_t memory_type, uint64_t peer_devices);
/* Frees what an allocation node has allocated.
 * @does adding a free node
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_free(uint64_t* node_out, cuprum_graph_definition definition,
                                                          uint64_t after, uint64_t address);
/* A condition for one conditional node; as cuprum_graph_builder_create_condition().
 * @does making a condition of a graph
 * @truth has_default
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_create_condition(uint64_t* condition_out,
                                                                  cuprum_graph_definition definition,
                                                                  int32_t has_default, uint32_t default_value);
/* `type`: CUPRUM_GRAPH_CONDITIONAL_*; `count` of bodies, which are there and empty: cuprum_graph_definition_part().
 * @does adding a conditional node
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_conditional(uint64_t* node_out, cuprum_graph_definition definition,
                                                                 uint64_t after, uint64_t condition, int32_t type,
                                                                 uint32_t count);
/* `successor` runs after `predecessor`. Nothing happens where there is such an edge. CUPRUM_ERROR_INVALID_ARGUMENT when
 * there is a way back.
 * @does adding a dependency to a graph
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_add_dependency(cuprum_graph_definition definition,
                                                                uint64_t predecessor, uint64_t successor);
/* Nothing happens where there is no such edge.
 * @does removing a dependency from a graph
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_remove_dependency(cuprum_graph_definition definition,
                                                                   uint64_t predecessor, uint64_t successor);
/* All nodes: an array of uint64_t, valid until the thread's next call.
 * @does listing the nodes of a graph */
CUPRUM_API cuprum_status cuprum_graph_definition_nodes(const void** nodes_out, uint64_t* size_out,
                                                       cuprum_graph_definition definition);
/* All edges: an array of two uint64_t for each, from the first to the second, valid until the thread's next call.
 * @does listing the edges of a graph */
CUPRUM_API cuprum_status cuprum_graph_definition_edges(const void** nodes_out, uint64_t* size_out,
                                                       cuprum_graph_definition definition);
/* Whether a node is there, and not destroyed.
 * @does asking whether a node is valid
 * @truth valid_out */
CUPRUM_API cuprum_status cuprum_graph_definition_has_node(int32_t* valid_out, cuprum_graph_definition definition,
                                                          uint64_t node);
/* What a node was made of: `which` is one of CUPRUM_GRAPH_NODE_VALUE_*. CUPRUM_ERROR_INVALID_STATE when a node of its
 * type has no such value.
 * @does asking what a node was made of */
CUPRUM_API cuprum_status cuprum_graph_definition_node_value(uint64_t* value_out, cuprum_graph_definition definition,
                                                            uint64_t node, int32_t which);
/* The kernel of a kernel node; the caller owns the handle.
 * @does asking for the kernel of a node
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_node_kernel(cuprum_kernel* kernel_out,
                                                             cuprum_graph_definition definition, uint64_t node);
/* The graph of a child graph node, `index` 0, or a body of a conditional node. The caller owns the handle.
 * @does asking for the graph of a node */
CUPRUM_API cuprum_status cuprum_graph_definition_part(cuprum_graph_definition* part_out,
                                                      cuprum_graph_definition definition, uint64_t node,
                                                      uint32_t index);
/* Removes a node and its edges.
 * @does destroying a node of a graph
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_destroy_node(cuprum_graph_definition definition, uint64_t node);
/* Gives a kernel node another launch, for what is instantiated from then on. CUPRUM_ERROR_INVALID_STATE when it is
 * another node; so with the following.
 * @does updating a kernel node
 * @nullable arguments
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_update_kernel(cuprum_graph_definition definition, uint64_t node,
                                                               const cuprum_launch_config* config, cuprum_kernel kernel,
                                                               const cuprum_argument* arguments,
                                                               uint32_t argument_count);
/* Another configuration; kernel and arguments stay.
 * @does updating a kernel node
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_update_kernel_config(cuprum_graph_definition definition, uint64_t node,
                                                                      const cuprum_launch_config* config);
/* @does updating a memcpy node
 * @nullable destination_owner source_owner
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_update_memcpy(cuprum_graph_definition definition, uint64_t node,
                                                               uint64_t destination, uint64_t source, uint64_t size,
                                                               cuprum_buffer destination_owner,
                                                               cuprum_buffer source_owner);
/* @does updating a memset node
 * @nullable destination_owner
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_update_memset(cuprum_graph_definition definition, uint64_t node,
                                                               uint64_t destination, uint32_t value,
                                                               uint32_t element_size, uint64_t width, uint64_t height,
                                                               uint64_t pitch, cuprum_buffer destination_owner);
/* @does updating a host callback node
 * @nullable release user_data
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_update_callback(cuprum_graph_definition definition, uint64_t node,
                                                                 cuprum_host_function function,
                                                                 cuprum_graph_release release, void* user_data);
/* Of an event record or event wait node.
 * @does updating an event node
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_update_event(cuprum_graph_definition definition, uint64_t node,
                                                              cuprum_event event);
/* Of a memory operation node.
 * @does updating a memory operation node
 * @truth flush
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_update_memory_operation(cuprum_graph_definition definition,
                                                                         uint64_t node, cuprum_buffer buffer,
                                                                         uint64_t offset, uint64_t value,
                                                                         uint32_t word_size, int32_t condition,
                                                                         int32_t flush);
/* A copy of another graph takes the place of the one that a child graph node has, whose definitions are invalid then.
 * @does updating a child graph node
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_update_child_graph(cuprum_graph_definition definition, uint64_t node,
                                                                    cuprum_graph_definition child);
/* Writes the graph to a file in DOT, the language of Graphviz. `flags`: CU_GRAPH_DEBUG_DOT_FLAGS_*, the driver's.
 * @does writing a graph to a file
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_debug_dot_print(cuprum_graph_definition definition, const char* path,
                                                                 uint32_t flags);
/* A graph that can be launched; `options` may be NULL for the defaults. The caller owns it. CUPRUM_ERROR_INVALID_STATE
 * of a part of a graph.
 * @does instantiating a graph
 * @nullable options
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_definition_instantiate(cuprum_graph* graph_out,
                                                             cuprum_graph_definition definition,
                                                             const cuprum_graph_complete_options* options);

/* ---- Graphs that can be launched. One launch of a graph runs at a time, in the order of the calls, whatever streams
 * they are in. Launches, updates and uploads of one graph must not be under way in several threads at once. */

/* NULL is accepted and ignored. What was launched goes on.
 * @does closing a graph
 * @nullable graph
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_destroy(cuprum_graph graph);
/* The CUgraphExec, as an integer; valid as long as the graph is.
 * @does asking for a graph's handle
 * @property handle */
CUPRUM_API cuprum_status cuprum_graph_native(uint64_t* native_out, cuprum_graph graph);
/* The device that its work runs on.
 * @does asking for a graph's device
 * @property */
CUPRUM_API cuprum_status cuprum_graph_device(int32_t* device_out, cuprum_graph graph);
/* Whether a launch frees what the one before has allocated and not freed.
 * @does asking how a graph was instantiated
 * @truth auto_free_out
 * @property */
CUPRUM_API cuprum_status cuprum_graph_auto_free_on_launch(int32_t* auto_free_out, cuprum_graph graph);
/* Launches it; asynchronous. Allocates nothing, and takes no lock before the driver. CUPRUM_ERROR_INVALID_STATE when
 * the stream's work is captured into a graph.
 * @does launching a graph
 * @method
 * @param stream in whose order it runs
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_graph_launch(cuprum_graph graph, cuprum_stream stream);
/* Takes it to the device ahead of its first launch.
 * @does uploading a graph
 * @method
 * @param stream in whose order it is taken there
 * @by_hand python
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_upload(cuprum_graph graph, cuprum_stream stream);
/* Takes the parameters of all nodes from another graph with the same nodes and edges, for later launches.
 * CUPRUM_ERROR_DRIVER when they differ, with the reason and the node; then the graph is as it was.
 * @does updating a graph
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_update(cuprum_graph graph, cuprum_graph_definition source);
/* Gives a node of the definition that the graph was instantiated from another launch, for later launches of the graph.
 * Owners are kept until the graph is updated whole or destroyed; so with the following.
 * @does updating a kernel node of a graph
 * @nullable arguments
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_update_kernel(cuprum_graph graph, cuprum_graph_definition definition,
                                                    uint64_t node, const cuprum_launch_config* config,
                                                    cuprum_kernel kernel, const cuprum_argument* arguments,
                                                    uint32_t argument_count);
/* @does updating a memcpy node of a graph
 * @nullable destination_owner source_owner
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_update_memcpy(cuprum_graph graph, cuprum_graph_definition definition,
                                                    uint64_t node, uint64_t destination, uint64_t source, uint64_t size,
                                                    cuprum_buffer destination_owner, cuprum_buffer source_owner);
/* @does updating a memset node of a graph
 * @nullable destination_owner
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_update_memset(cuprum_graph graph, cuprum_graph_definition definition,
                                                    uint64_t node, uint64_t destination, uint32_t value,
                                                    uint32_t element_size, uint64_t width, uint64_t height,
                                                    uint64_t pitch, cuprum_buffer destination_owner);
/* @does updating a host callback node of a graph
 * @nullable release user_data
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_update_callback(cuprum_graph graph, cuprum_graph_definition definition,
                                                      uint64_t node, cuprum_host_function function,
                                                      cuprum_graph_release release, void* user_data);
/* @does updating an event node of a graph
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_update_event(cuprum_graph graph, cuprum_graph_definition definition,
                                                   uint64_t node, cuprum_event event);
/* A wait stays a wait, a write a write, and the word's size what it is.
 * @does updating a memory operation node of a graph
 * @truth flush
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_update_memory_operation(cuprum_graph graph, cuprum_graph_definition definition,
                                                              uint64_t node, cuprum_buffer buffer, uint64_t offset,
                                                              uint64_t value, uint32_t word_size, int32_t condition,
                                                              int32_t flush);
/* The child's nodes and edges are those of the graph that it replaces.
 * @does updating a child graph node of a graph
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_update_child_graph(cuprum_graph graph, cuprum_graph_definition definition,
                                                         uint64_t node, cuprum_graph_definition child);
/* Whether a kernel, memcpy or memset node runs.
 * @does asking whether a node is enabled
 * @truth enabled_out */
CUPRUM_API cuprum_status cuprum_graph_is_node_enabled(int32_t* enabled_out, cuprum_graph graph,
                                                      cuprum_graph_definition definition, uint64_t node);
/* @does enabling or disabling a node
 * @truth enabled
 * @blocks */
CUPRUM_API cuprum_status cuprum_graph_set_node_enabled(cuprum_graph graph, cuprum_graph_definition definition,
                                                       uint64_t node, int32_t enabled);

#ifdef __cplusplus
}
#endif
#endif
