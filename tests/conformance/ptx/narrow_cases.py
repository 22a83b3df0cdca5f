#!/usr/bin/env python3
"""Writes the cases of conversions to and from narrow formats (forms/narrow_*.txt): narrow_cases.py [--check]

Results are worked out here with exact fractions and tables of every number of a format, another way than the
simulator's, from PTX ISA 9.2, 5.2.3, 5.2.4 and 9.7.9.22. Many cases run 32 threads, each with an operand of its own:
they visit every number of a format, and where floats are rounded to it, every midpoint with its neighbours. With
--check nothing is written; it fails unless the files are what would be.
"""

import argparse
import bisect
import pathlib
import struct
import sys
from fractions import Fraction

FORMS = pathlib.Path(__file__).parent / "forms"
LANES = 32
SIGN, INFINITY = 0x80000000, 0x7F800000


def scaled(number, exponent):
    """number * 2^exponent, exactly"""
    return number * Fraction(2) ** exponent


class Format:
    """A binary floating-point format: `values` are its numbers from 0 up, by their codes without the sign."""

    def __init__(self, name, exponent_bits, fraction_bits, bias, largest, nan, infinity=None, slot=8):
        self.name, self.largest, self.nan, self.infinity, self.slot = name, largest, nan, infinity, slot
        self.sign = 1 << (exponent_bits + fraction_bits)
        self.fraction_bits, self.bias = fraction_bits, bias
        self.values = [self.value(code) for code in range(largest + 1)]

    def value(self, code):
        exponent, fraction = code >> self.fraction_bits, code & ((1 << self.fraction_bits) - 1)
        if exponent == 0:
            return scaled(Fraction(fraction), 1 - self.bias - self.fraction_bits)
        return scaled(Fraction(fraction + (1 << self.fraction_bits)), exponent - self.bias - self.fraction_bits)

    def below(self, magnitude):
        """The code of the largest number that is not above; and how far on the way to the next, from 0 to 1."""
        code = bisect.bisect_right(self.values, magnitude) - 1
        step = self.value(code + 1) - self.values[code]
        return code, (magnitude - self.values[code]) / step

    def nearest(self, magnitude):
        code, rest = self.below(magnitude)
        return code + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and code & 1))

    def stochastic(self, magnitude, random, bits):
        code, rest = self.below(magnitude)
        return code + (int(rest * 2**bits) + random >= 2**bits)

    def encode(self, number, relu=False, finite=True, random=None, random_bits=16):
        """The code of a Number, rounded to nearest or by random bits."""
        if number.nan:
            return self.nan
        if relu and number.negative:
            return 0
        sign = self.sign if number.negative else 0
        if number.magnitude is None:  # infinite
            return sign | (self.largest if finite else self.infinity)
        if random is None:
            code = self.nearest(number.magnitude)
        else:
            code = self.stochastic(number.magnitude, random, random_bits)
        if code > self.largest:
            code = self.largest if finite else self.infinity
        return sign | code


class Number:
    """`magnitude`: a fraction, None if infinite."""

    def __init__(self, magnitude, negative=False, nan=False):
        self.magnitude, self.negative, self.nan = magnitude, negative, nan

    @classmethod
    def of_float(cls, bits):
        negative, bits = bool(bits & SIGN), bits & ~SIGN
        if bits >= INFINITY:
            return cls(None, negative, bits > INFINITY)
        return cls(Fraction(struct.unpack("<f", struct.pack("<I", bits))[0]), negative)

    @classmethod
    def of_code(cls, form, code):
        negative, code = bool(code & form.sign), code & (form.sign - 1)
        if code > form.largest:
            nan = form.infinity is None or code != form.infinity
            return cls(None, negative, nan)
        return cls(form.values[code], negative)

    def times(self, exponent):
        """Times 2^exponent; None is the exponent of NaN."""
        if exponent is None:
            return Number(None, self.negative, True)
        magnitude = None if self.magnitude is None else scaled(self.magnitude, exponent)
        return Number(magnitude, self.negative, self.nan)


# OCP 8-bit Floating Point, and Microscaling Formats (MX). Formats without NaN give their largest number for it.
E4M3 = Format("e4m3", 4, 3, 7, largest=0x7E, nan=0x7F)
E5M2 = Format("e5m2", 5, 2, 15, largest=0x7B, nan=0x7F, infinity=0x7C)
E2M3 = Format("e2m3", 2, 3, 1, largest=0x1F, nan=0x1F)
E3M2 = Format("e3m2", 3, 2, 3, largest=0x1F, nan=0x1F)
E2M1 = Format("e2m1", 2, 1, 1, largest=0x7, nan=0x7, slot=4)
F16 = Format("f16", 5, 10, 15, largest=0x7BFF, nan=0x7FFF, infinity=0x7C00, slot=16)
BF16 = Format("bf16", 8, 7, 127, largest=0x7F7F, nan=0x7FFF, infinity=0x7F80, slot=16)
NARROW = [E4M3, E5M2, E2M3, E3M2, E2M1]


def exponent_of(code):
    return None if code == 0xFF else code - 127


def to_exponent(number, up, finite):
    """ue8m0: the power of two below, or above, the magnitude."""
    if number.nan:
        return 0xFF
    if number.magnitude is None:
        return 0xFE if finite else 0xFF
    code = 0
    while code < 0xFF and scaled(Fraction(1), code + 1 - 127) <= number.magnitude:
        code += 1
    if up and number.magnitude > scaled(Fraction(1), code - 127):
        code += 1
    return min(code, 0xFE if finite else 0xFF)


def to_fixed(number, relu):
    """s2f6: 64ths, in two's complement."""
    if number.nan:
        return 0x7F
    if relu and number.negative:
        return 0
    if number.magnitude is None:
        return 0x80 if number.negative else 0x7F
    count = round(number.magnitude * 64)  # half to even
    return max(-count, -128) & 0xFF if number.negative else min(count, 127)


def of_fixed(code):
    count = code - 256 if code & 0x80 else code
    return Number(Fraction(abs(count), 64), count < 0)


class File:
    def __init__(self, name, title):
        self.path = FORMS / f"narrow_{name}.txt"
        self.lines = [f"# {title} Written by narrow_cases.py, which says", "# where the results come from.", ""]

    def group(self, head, code=None):
        self.lines.append(head + (f" : {code}" if code else ""))

    def case(self, operands, results):
        """Of several threads, equal results that follow each other are counted."""
        words = []
        for result in results:
            if words and words[-1][0] == result:
                words[-1][1] += 1
            else:
                words.append([result, 1])
        text = " ".join(f"{word:#x}" + (f"*{count}" if count > 1 else "") for word, count in words)
        self.lines.append("    " + " ".join(f"{one:#x}" for one in operands) + " = " + text)

    def text(self):
        return "\n".join(self.lines) + "\n"


def name(form, count=2):
    return f"{form.name}x{count}"


def target_of(form):
    return "[sm_89]" if form in (E4M3, E5M2) else "[sm_100f]"


def register_of(form):
    """The type of a pair's register in a file of cases."""
    return "b8" if form is E2M1 else "b16"


def with_byte(form, before, after="", result=False):
    """The form between the code before and after it; e2m1x2 lies in a register of eight bits."""
    if form is not E2M1:
        return f"{before}$ {after}"
    if result:
        return "{ .reg .b8 byte; " + before + "$ byte, " + after.split(", ", 1)[1] + " cvt.u16.u8 d, byte; }"
    return before + "{ .reg .b8 byte; cvt.u8.u16 byte, s0; $ " + after.replace("s0", "byte") + " }"


# --- to narrow formats ---

EDGES = [0x00000000, 0x00000001, 0x3F800000, 0x3FC00000, INFINITY, 0x7F7FFFFF, 0x7FC00000, 0x7F800001, 0xFFFFFFFF]
# Each thread: a float, `b` of its bits apart from the one of the thread before, and its negative.
SWEEP = "mov.u32 t0, %laneid; mad.lo.u32 t1, t0, b, a; xor.b32 t2, t1, 0x80000000; "


def sweeps(form, fraction_bits=None):
    """Floats whose significands have two bits more than the format's, and the neighbours of each: all midpoints are
    among them. From below the smallest subnormal number to above the largest."""
    bits = form.fraction_bits + 1 if fraction_bits is None else fraction_bits
    step = 1 << (23 - bits)
    first = (127 + 1 - form.bias - form.fraction_bits - 2) << 23
    last = (127 + 2 + (form.largest >> form.fraction_bits) - form.bias) << 23
    start = first
    while start < last:
        for offset in (-1, 0, 1):
            yield start + offset, step
        start += LANES * step


def pair_of(form, upper, lower, relu=False):
    return form.encode(upper, relu) << form.slot | form.encode(lower, relu)


def narrow_down():
    file = File("down", "cvt of floats and halves to narrow formats: PTX ISA 9.7.9.22.")
    for form in NARROW:
        for relu in ("", ".relu"):
            mnemonic = f"cvt.rn.satfinite{relu}.{name(form)}"
            head = f"{register_of(form)} = f32 f32 {target_of(form)}"
            file.group(f"{mnemonic}.f32  {head}", with_byte(form, "", "d, a, b;", result=True))
            for k, bits in enumerate(EDGES):
                pair = (bits, EDGES[k - 1] ^ SIGN)
                upper, lower = (Number.of_float(one) for one in pair)
                file.case(pair, [pair_of(form, upper, lower, relu=bool(relu))])
        file.group(
            f"cvt.rn.satfinite.{name(form)}.f32  {register_of(form)} = b32 b32 [threads 32] {target_of(form)}",
            with_byte(form, SWEEP, "d, t1, t2;", result=True),
        )
        for start, step in sweeps(form):
            numbers = [Number.of_float(start + step * lane) for lane in range(LANES)]
            results = [pair_of(form, one, Number(one.magnitude, True)) for one in numbers]
            file.case((start, step), results)
        for half, specials in ((F16, [0x7C00, 0x7E01, 0x7BFF]), (BF16, [0x7F80, 0x7FC1, 0x7F7F])):
            old = half is F16 and form in (E4M3, E5M2)
            target = target_of(form) if old else "[sm_100f]" + (" [ptx 9.1]")
            for relu in ("", ".relu"):
                file.group(
                    f"cvt.rn.satfinite{relu}.{name(form)}.{half.name}x2  {register_of(form)} = {half.name}x2 {target}",
                    with_byte(form, "", "d, a;", result=True),
                )
                for upper in specials + [half.nearest(form.values[-1]), half.nearest(form.values[1] / 2), 0]:
                    lower = half.nearest((form.values[5] + form.values[6]) / 2) | 0x8000
                    codes = Number.of_code(half, upper), Number.of_code(half, lower)
                    file.case([upper << 16 | lower], [pair_of(form, *codes, relu=bool(relu))])
            # All numbers of f16 or bf16 with two bits more than the format's.
            step = 1 << (half.fraction_bits - form.fraction_bits - 1)
            file.group(
                f"cvt.rn.satfinite.{name(form)}.{half.name}x2  {register_of(form)} = b32 b32 [threads 32] {target}",
                with_byte(
                    form,
                    "mov.u32 t0, %laneid; mad.lo.u32 t1, t0, b, a; shl.b32 t2, t1, 16; or.b32 t1, t1, t2; "
                    "or.b32 t1, t1, 0x8000; ",
                    "d, t1;",
                    result=True,
                ),
            )
            first = max(half.nearest(form.values[1] / 4), step)
            last = half.nearest(form.values[-1]) + 2 * LANES * step
            for start in range(first, min(last, half.largest - LANES * step), LANES * step):
                for offset in (-1, 0, 1):
                    codes = [start + offset + step * lane for lane in range(LANES)]
                    numbers = [Number.of_code(half, code) for code in codes]
                    results = [pair_of(form, one, Number(one.magnitude, True)) for one in numbers]
                    file.case((start + offset, step), results)
    narrow_exponents(file)
    narrow_fixed(file)
    return file


def narrow_exponents(file):
    for rounding in ("rz", "rp"):
        for finite in ("", ".satfinite"):
            mnemonic = f"cvt.{rounding}{finite}.ue8m0x2"

            def both(numbers, up=rounding == "rp", limit=bool(finite)):
                upper, lower = numbers
                return to_exponent(upper, up, limit) << 8 | to_exponent(lower, up, limit)

            file.group(f"{mnemonic}.f32  b16 = f32 f32 [sm_100f]")
            for k, bits in enumerate(EDGES + [0x00400000, 0x00400001, 0x003FFFFF]):
                pair = (bits, EDGES[k % len(EDGES) - 1] ^ SIGN)
                file.case(pair, [both([Number.of_float(one) for one in pair])])
            file.group(f"{mnemonic}.f32  b16 = b32 b32 [threads 32] [sm_100f]", SWEEP + "$ d, t1, t2;")
            for start in range(0, INFINITY, LANES << 23):
                for offset in (0, 1, 0x400000, 0x7FFFFF):
                    numbers = [Number.of_float(start + offset + (lane << 23)) for lane in range(LANES)]
                    file.case((start + offset, 1 << 23), [both((one, one)) for one in numbers])
            file.group(f"{mnemonic}.bf16x2  b16 = bf16x2 [sm_100f]")
            for pair in (0x3F80C000, 0x3F817F80, 0x7FC17F7F, 0x00400041, 0x003F0000, 0x7F007F01, 0x80010080):
                codes = pair >> 16, pair & 0xFFFF
                file.case([pair], [both([Number.of_code(BF16, code) for code in codes])])


def narrow_fixed(file):
    target = "[sm_100a] [ptx 9.1]"
    for relu in ("", ".relu"):
        mnemonic = f"cvt.rn.satfinite{relu}"
        file.group(f"{mnemonic}.s2f6x2.f32  b16 = f32 f32 {target}")
        for k, bits in enumerate(EDGES + [0x3FFE0000, 0x3FFF0000, 0x40000000]):
            pair = (bits, EDGES[k % len(EDGES) - 1] ^ SIGN)
            upper, lower = (to_fixed(Number.of_float(one), bool(relu)) for one in pair)
            file.case(pair, [upper << 8 | lower])
        file.group(f"{mnemonic}.scaled::n2::ue8m0.s2f6x2.f32  b16 = f32 f32 b16 {target}")
        for scales in (0x7F7F, 0x8580, 0x00FE, 0xFF7F):
            for pair in (
                (0x3F800000, 0xC0200000),
                (0x42FF0000, 0xC3010000),
                (0x00000001, 0x7F7FFFFF),
                (0x7FC00000, SIGN),
            ):
                numbers = [Number.of_float(one) for one in pair]
                factors = [exponent_of(scales >> 8), exponent_of(scales & 0xFF)]
                upper, lower = (
                    to_fixed(one.times(None if by is None else -by), bool(relu))
                    for one, by in zip(numbers, factors, strict=True)
                )
                file.case((*pair, scales), [upper << 8 | lower])
        file.group(f"{mnemonic}.s2f6x2.bf16x2  b16 = bf16x2 {target}")
        pairs = ((0x3F80, 0xBFC0), (0x3FFE, 0xBFFF), (0x7F80, 0xFF80), (0x7FC1, 0xC000), (0x3C00, 0x3C40))
        for codes in pairs:
            upper, lower = (to_fixed(Number.of_code(BF16, code), bool(relu)) for code in codes)
            file.case([codes[0] << 16 | codes[1]], [upper << 8 | lower])
        file.group(f"{mnemonic}.scaled::n2::ue8m0.s2f6x2.bf16x2  b16 = bf16x2 b16 {target}")
        for codes in pairs:
            for scales in (0x7F7F, 0x7E85, 0xFF00):
                factors = [exponent_of(scales >> 8), exponent_of(scales & 0xFF)]
                upper, lower = (
                    to_fixed(Number.of_code(BF16, code).times(None if by is None else -by), bool(relu))
                    for code, by in zip(codes, factors, strict=True)
                )
                file.case((codes[0] << 16 | codes[1], scales), [upper << 8 | lower])
    # Every 128th from below -2 to above 2, and the floats beside each.
    file.group(f"cvt.rn.satfinite.s2f6x2.f32  b16 = b32 b32 [threads 32] {target}", SWEEP + "$ d, t1, t2;")
    for start, step in sweeps(Format("to 127 64ths", 2, 7, 6, largest=(6 << 7) + 127, nan=0), 7):
        numbers = [Number.of_float(start + step * lane) for lane in range(LANES)]
        results = [to_fixed(one, False) << 8 | to_fixed(Number(one.magnitude, True), False) for one in numbers]
        file.case((start, step), results)


# --- to halves ---


# Each thread: the pair `a` + its number.
EACH_BYTE = "mov.u32 t0, %laneid; add.u32 t0, t0, a; cvt.u16.u32 s0, t0; "
# Each thread: the number `a` + its number in the lower place, its complement in the upper one.
EACH_NUMBER = (
    "mov.u32 t0, %laneid; add.u32 t0, t0, a; not.b32 t1, t0; and.b32 t1, t1, {mask:#x}; shl.b32 t1, t1, 8; "
    "or.b32 t0, t0, t1; cvt.u16.u32 s0, t0; "
)


def each_pair(form_slot, mask):
    """The pairs that the threads of each case have, upper and lower number: for e2m1 all of them, else every number."""
    if form_slot == 4:
        return EACH_BYTE, [[(k >> 4, k & 15) for k in range(start, start + LANES)] for start in range(0, 256, LANES)]
    pairs = [[(~k & mask, k) for k in range(start, start + LANES)] for start in range(0, mask + 1, LANES)]
    return EACH_NUMBER.format(mask=mask), pairs


def narrow_up():
    file = File("up", "cvt of narrow formats to halves, every number of each: PTX ISA 9.7.9.22.")
    for form in NARROW:
        code, cases = each_pair(form.slot, 2 * form.sign - 1)
        for half in (F16, BF16):
            for finite in ("", ".satfinite") if half is BF16 else ("",):
                for relu in ("", ".relu"):
                    target = target_of(form) if half is F16 else "[sm_100f] [ptx 9.2]"
                    file.group(
                        f"cvt.rn{finite}{relu}.{half.name}x2.{name(form)}  b32 = b32 [threads 32] {target}",
                        with_byte(form, code, "d, s0;"),
                    )

                    def one(code, form=form, half=half, relu=bool(relu), finite=bool(finite)):
                        return half.encode(Number.of_code(form, code), relu, finite)

                    for start, pairs in enumerate(cases):
                        file.case([start * LANES], [one(upper) << 16 | one(lower) for upper, lower in pairs])
    code, cases = each_pair(8, 0xFF)
    code += "$ d, s0;"

    def exponent_as_bfloat(bits):
        by = exponent_of(bits)
        return BF16.nan if by is None else BF16.nearest(scaled(Fraction(1), by))

    file.group("cvt.rn.bf16x2.ue8m0x2  b32 = b32 [threads 32] [sm_100f]", code)
    for start, pairs in enumerate(cases):
        results = [exponent_as_bfloat(upper) << 16 | exponent_as_bfloat(lower) for upper, lower in pairs]
        file.case([start * LANES], results)
    for finite in ("", ".satfinite"):
        for relu in ("", ".relu"):
            file.group(f"cvt.rn{finite}{relu}.bf16x2.s2f6x2  b32 = b32 [threads 32] [sm_100a] [ptx 9.1]", code)

            def fixed(code, relu=bool(relu)):
                return BF16.encode(of_fixed(code), relu)

            for start, pairs in enumerate(cases):
                file.case([start * LANES], [fixed(upper) << 16 | fixed(lower) for upper, lower in pairs])
    return file


def narrow_scaled():
    file = File("scaled", "cvt of narrow formats to bf16x2 with a factor for each number: PTX ISA 9.7.9.22.")
    sources = [(name(form), form, lambda code, form=form: Number.of_code(form, code)) for form in NARROW]
    sources.append(("s2f6x2", None, of_fixed))
    for text, form, number in sources:
        slot = form.slot if form else 8
        low = (1 << slot) - 1
        pairs = [0x3840, 0x7FFE, 0x7C81, 0xFC7B]
        for finite in ("", ".satfinite"):
            for relu in ("", ".relu"):
                target = "[sm_100f] [ptx 9.2]" if form else "[sm_100a] [ptx 9.1]"
                code = None
                if form is E2M1:
                    code = "{ .reg .b8 byte; cvt.u8.u16 byte, a; $ d, byte, b; }"
                file.group(
                    f"cvt.rn{finite}{relu}.scaled::n2::ue8m0.bf16x2.{text}  bf16x2 = {register_of(form)} b16 {target}",
                    code,
                )
                for pair in pairs:
                    # Six bits in eight: the others are 0.
                    pair &= 0x3F3F if form in (E2M3, E3M2) else 0xFF if form is E2M1 else 0xFFFF
                    for scales in (0x7F7F, 0x807E, 0xFE00, 0x01FF):
                        results = [
                            BF16.encode(number(one).times(exponent_of(by)), bool(relu), bool(finite))
                            for one, by in ((pair >> slot & low, scales >> 8), (pair & low, scales & 0xFF))
                        ]
                        file.case((pair, scales), [results[0] << 16 | results[1]])
    return file


# --- random bits ---


def reversed_bits(half):
    return int(f"{half:016b}"[::-1], 2)


RANDOM = [0x00000000, 0xFFFFFFFF, 0x12345678, 0xF00F0FF0, 0x00FF8001, 0xA5C31E87]


def narrow_random():
    file = File("random", "cvt.rs, floats rounded by random bits: PTX ISA 9.7.9.22, and docs/simulator.md.")
    for half, bits in ((F16, 13), (BF16, 16)):
        for finite in ("", ".satfinite"):
            for relu in ("", ".relu"):
                file.group(f"cvt.rs{finite}{relu}.{half.name}x2.f32  {half.name}x2 = f32 f32 b32 [sm_100a]")
                middle = 0x3F801000 if half is F16 else 0x3F808000
                tiny = 0x33400000 if half is F16 else 0x00008000
                above = 0x477FF000 if half is F16 else 0x7F7F8000
                pairs = [
                    (middle, middle ^ SIGN),
                    (tiny, tiny + 12345),
                    (above, above ^ SIGN),
                    (INFINITY, INFINITY | SIGN),
                ]
                pairs += [(0x7FC00001, 0x80000000), (0x3F804567, 0xC2F6E979), (0x38000123, 0xB7654321), (0x2E123456, 1)]
                for pair in pairs:
                    for random in RANDOM:
                        results = [
                            half.encode(Number.of_float(one), bool(relu), bool(finite), share % 2**bits, bits)
                            for one, share in zip(pair, (random >> 16, random & 0xFFFF), strict=True)
                        ]
                        file.case((*pair, random), [results[0] << 16 | results[1]])
    for form in NARROW:
        register = "b16" if form is E2M1 else "b32"

        def four(numbers, random, relu, form=form):
            if form is E2M1:
                bytes_ = [random >> 8 * k & 0xFF for k in range(4)]
                upper, lower = bytes_[3] << 8 | bytes_[1], bytes_[2] << 8 | bytes_[0]
            else:
                upper, lower = random >> 16, random & 0xFFFF
            shares = (reversed_bits(upper), upper, reversed_bits(lower), lower)
            packed = 0
            for number, share in zip(numbers, shares, strict=True):
                code = form.encode(number, relu, random=share)
                packed = packed << form.slot | code
            return packed

        for relu in ("", ".relu"):
            mnemonic = f"cvt.rs.satfinite{relu}.{name(form, 4)}.f32"
            file.group(f"{mnemonic}  {register} = f32 f32 f32 f32 b32 [sm_100a]", "$ d, {a, b, c, h}, i;")
            quarter = struct.unpack("<I", struct.pack("<f", float((3 * form.values[5] + form.values[6]) / 4)))[0]
            below = struct.unpack("<I", struct.pack("<f", float(form.values[1] * Fraction(5, 8))))[0]
            beyond = struct.unpack("<I", struct.pack("<f", float(form.values[-1] * Fraction(17, 16))))[0]
            for quadruple in (
                (quarter, quarter, quarter, quarter),
                (below, below ^ SIGN, below ^ SIGN, below),
                (beyond, beyond ^ SIGN, INFINITY, INFINITY | SIGN),
                (0x7FC00001, 0xFF800001, 0, SIGN),
                (0x3F812345, 0xBFFEDCBA, 0x00000001, 0x3F8CCCCD),
            ):
                for random in RANDOM:
                    numbers = [Number.of_float(one) for one in quadruple]
                    file.case((*quadruple, random), [four(numbers, random, bool(relu))])
        # Every number of the format and three places between it and the next, with random bits that are one apart from
        # where they round up.
        file.group(
            f"cvt.rs.satfinite.{name(form, 4)}.f32  {register} = b32 b32 b32 [threads 32] [sm_100a]",
            SWEEP + "$ d, {t1, t2, t2, t1}, c;",
        )
        for start, step in sweeps(form):
            if (start - 1) % step and start % step:
                continue
            for random in (0x00000000, 0x7FFF8000, 0xBFFFC000, 0xFFFFFFFF):
                numbers = [Number.of_float(start + step * lane) for lane in range(LANES)]
                results = []
                for one in numbers:
                    other = Number(one.magnitude, True)
                    results.append(four((one, other, other, one), random, False))
                file.case((start, step, random), results)
    return file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    for file in (narrow_down(), narrow_up(), narrow_scaled(), narrow_random()):
        if not check:
            file.path.write_text(file.text())
        elif not file.path.exists() or file.path.read_text() != file.text():
            stale.append(str(file.path))
    if stale:
        sys.exit("not what narrow_cases.py writes, run it again: " + ", ".join(stale))


if __name__ == "__main__":
    main()
