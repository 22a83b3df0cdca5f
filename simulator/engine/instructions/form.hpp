// The form of an instruction: its opcode, types and modifiers, apart from its operands.
//
// Code that picks an implementation takes each modifier and type that it honours out of the form; what is left over at
// the end was not honoured, and the module is refused. So no modifier is ever ignored by accident.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "ptx/module.hpp"

namespace cuprum::simulator {

using ptx::ScalarType;

// Every opcode that the engine knows; what is known of it lies in the folders of its families (family.hpp). Source: PTX
// ISA 9.0, chapter 9.
enum class Opcode : uint8_t {
    abs,
    activemask,
    add,
    addc,
    and_,
    atom,
    bar,
    barrier,
    bfe,
    bfi,
    bfind,
    bmsk,
    bra,
    brev,
    brkpt,
    brx,
    call,
    clz,
    cnot,
    copysign,
    cos,
    cp,
    cvt,
    cvta,
    discard,
    div,
    dp2a,
    dp4a,
    elect,
    ex2,
    exit,
    fence,
    fma,
    fns,
    getctarank,
    griddepcontrol,
    isspacep,
    ld,
    ldmatrix,
    ldu,
    lg2,
    lop3,
    mad,
    mad24,
    madc,
    mapa,
    match,
    max,
    max3,  // max of three sources, which PTX calls max too
    mbarrier,
    membar,
    min,
    min3,
    mma,
    mov,
    movmatrix,
    mul,
    mul24,
    multimem,
    nanosleep,
    neg,
    not_,
    or_,
    pmevent,
    popc,
    prefetch,
    prefetchu,
    prmt,
    rcp,
    red,
    redux,
    rem,
    ret,
    rsqrt,
    sad,
    selp,
    set,
    setmaxnreg,
    setp,
    shf,
    shfl,
    shl,
    shr,
    sin,
    slct,
    sqrt,
    st,
    stmatrix,
    sub,
    subc,
    suld,
    suq,
    sured,
    sust,
    szext,
    tanh,
    tensormap,
    testp,
    tex,
    tld4,
    trap,
    txq,
    vote,
    wgmma,
    wmma,
    xor_,
    applypriority,
    alloca_,
    stacksave,
    stackrestore,
    createpolicy,
    // video
    vabsdiff,
    vabsdiff2,
    vabsdiff4,
    vadd,
    vadd2,
    vadd4,
    vavrg2,
    vavrg4,
    vmad,
    vmax,
    vmax2,
    vmax4,
    vmin,
    vmin2,
    vmin4,
    vset,
    vset2,
    vset4,
    vshl,
    vshr,
    vsub,
    vsub2,
    vsub4,
    unknown,
};
Opcode find_opcode(std::string_view name);

// Every modifier that is not a type. Several words mean different things after different opcodes (`.lo` of mul and of
// setp, `.and` of setp and of atom); the word is what is recorded.
enum class Modifier : uint8_t {
    // rounding
    rn,
    rz,
    rm,
    rp,
    rna,
    rs,
    rni,
    rzi,
    rmi,
    rpi,
    // arithmetic
    ftz,
    sat,
    approx,
    full,
    relu,
    noftz,
    nan_,
    xorsign,
    wide,
    lo,
    hi,
    cc,
    satfinite,
    oob,
    scaled,  // .scaled::n2::ue8m0
    // comparison
    eq,
    ne,
    lt,
    le,
    gt,
    ge,
    ls,
    hs,
    equ,
    neu,
    ltu,
    leu,
    gtu,
    geu,
    num,
    unordered,  // .nan of a comparison; .NaN of min and max is nan_
    // boolean, and the operations of atom, red, redux, bar.red
    and_,
    or_,
    xor_,
    popc,
    add,
    min,
    max,
    inc,
    dec,
    exch,
    cas,
    // shifts and bit fields
    l,
    r,
    clamp,
    wrap,
    shiftamt,
    f4e,
    b4e,
    rc8,
    ecl,
    ecr,
    rc16,
    // testp
    finite,
    infinite,
    number,
    notanumber,
    normal,
    subnormal,
    // warps
    sync,
    up,
    down,
    bfly,
    idx,
    any,
    all,
    uni,
    ballot,
    aligned,
    arrive,
    red,
    warp,
    cta,
    cluster,
    // memory: spaces, order, scope, caching
    constant,
    global,
    local,
    param,
    shared,
    shared_cta,
    param_entry,
    param_func,
    to,
    volatile_,
    weak,
    relaxed,
    acquire,
    release,
    acq_rel,
    sc,
    mmio,
    gl,
    sys,
    gpu,
    ca,
    cg,
    cs,
    lu,
    cv,
    wb,
    wt,
    nc,
    cache_hint,
    eviction,
    prefetch_size,
    v2,
    v4,
    v8,
    unified,
    // mbarrier and asynchronous copies
    init,
    inval,
    expect_tx,
    complete_tx,
    complete_tx_bytes,
    arrive_drop,
    no_complete,
    noinc,
    test_wait,
    try_wait,
    parity,
    pending_count,
    mbarrier,
    mbarrier_init,
    bulk,
    bulk_group,
    read,
    prefetch_,
    shared_cluster,
    proxy,
    alias,
    async_generic,
    tensormap_generic,
    restrict_to_block,
    restrict_to_cluster,
    reduce,
    multicast_cluster,
    // tensors and tensor maps
    tensor,
    tile,
    im2col,
    im2col_no_offsets,
    four_dimensions,
    five_dimensions,
    tensormap,
    replace,
    cp_fenceproxy,
    bits_1024,
    global_address,
    rank,
    box_dim,
    global_dim,
    global_stride,
    element_stride,
    elemtype,
    interleave_layout,
    swizzle_mode,
    fill_mode,
    // matrices
    row,
    col,
    load,
    store,
    mma,
    matrix_a,
    matrix_b,
    matrix_c,
    matrix_d,
    trans,
    x1,
    x2,
    x4,
    m8n8,
    m8n8k4,
    m8n8k16,
    m8n8k32,
    m16n8k4,
    m16n8k8,
    m16n8k16,
    m16n8k32,
    m16n8k64,
    m8n8k128,
    m16n8k128,
    m16n8k256,
    m16n16k8,
    m16n16k16,
    m32n8k16,
    m8n32k16,
    m64k8,  // of a group of warps: m64n8k8 to m64n256k8
    m64k16,
    m64k32,
    mma_async,
    sparse,
    sparse_ordered,
    kind_f8f6f4,
    kind_mxf8f6f4,
    kind_mxf4,
    kind_mxf4nvf4,
    block_scale,
    scale_vec_1,
    scale_vec_2,
    scale_vec_4,
    scale_ue8m0,  // the types of scales
    scale_ue4m3,
    fence,
    // images: geometries (1d, 2d, 3d, a1d, a2d, cube, acube), what is asked for, what is outside
    line,
    plane,
    volume,
    lines,
    planes,
    cube,
    cubes,
    base,
    level,
    grad,
    green,
    formatted,
    trap,
    zero,
    width,
    height,
    depth,
    array_size,
    num_mipmap_levels,
    num_samples,
    normalized_coords,
    // others
    ld_reduce,
    st,
    accumulate_f32,
    wait,
    launch_dependents,
    async,
    commit_group,
    wait_group,
    wait_all,
    L1,
    L2,
    abs_,
    mask,
    pack,
    fractional,
    range,
    cvt,
    po,
    shr7,
    shr15,
    count_,  // last: the number of modifiers
};
inline constexpr unsigned modifier_words = (static_cast<unsigned>(Modifier::count_) + 63) / 64;

struct Form {
    Opcode opcode = Opcode::unknown;
    std::array<ScalarType, 4> types{};
    uint8_t type_count = 0;
    uint8_t types_taken = 0;
    // Set by the decoder for memory instructions: bytes of an address register and of a data register's element.
    uint8_t address_bytes = 8;
    uint8_t data_bytes = 4;
    std::array<uint64_t, modifier_words> modifiers{};

    bool has(Modifier modifier) const {
        const auto bit = static_cast<unsigned>(modifier);
        return (modifiers[bit / 64] >> (bit % 64) & 1) != 0;
    }
    void add(Modifier modifier) {
        const auto bit = static_cast<unsigned>(modifier);
        modifiers[bit / 64] |= uint64_t{1} << (bit % 64);
    }
    // True if the modifier was there; it counts as honoured from here on.
    bool take(Modifier modifier) {
        const bool present = has(modifier);
        const auto bit = static_cast<unsigned>(modifier);
        modifiers[bit / 64] &= ~(uint64_t{1} << (bit % 64));
        return present;
    }
    // The next type in order, `none` when there is none left.
    ScalarType take_type() { return types_taken < type_count ? types[types_taken++] : ScalarType::none; }
    ScalarType type(unsigned index = 0) const { return index < type_count ? types[index] : ScalarType::none; }
    bool exhausted() const {
        for (const uint64_t word : modifiers) {
            if (word != 0) return false;
        }
        return types_taken >= type_count;
    }
};

// Fills `form` from the text of an instruction. Returns the modifier that is not known, or an empty view.
std::string_view read_form(const ptx::Instruction& instruction, Form& form);
bool find_type(std::string_view word, ScalarType& type);
bool find_modifier(std::string_view word, Modifier& modifier);  // families of cache hints included
// m64n8k16 to m64n256k16, and so on: the columns, and the modifier that stands for all such words.
bool is_warpgroup_shape(std::string_view word, uint32_t& columns, Modifier& modifier);
// The name of the first modifier that was never taken, for the message.
std::string_view first_unhonoured(const Form& form, const ptx::Instruction& instruction);

bool is_float(ScalarType type);
bool is_narrow(ScalarType type);  // floats or fixed-point numbers of 4 to 8 bits, two or four in a register
bool is_packed(ScalarType type);  // several floats in one register: halves, singles, narrow ones
bool is_signed_integer(ScalarType type);
// Bytes of a register of this type in the register file: 4, 8 or 16; 0 for a predicate.
uint32_t register_bytes(ScalarType type);

}  // namespace cuprum::simulator
