#!/usr/bin/env python3
"""Writes the cases of products of narrow floats (forms/matrix_narrow.txt): matrix_cases.py [--check]

mma with .kind::f8f6f4 and with .block_scale, dense and sparse, and fp8 with f16 accumulators. Each thread makes its own
operands from its number; the results are worked out here with exact fractions from PTX ISA 9.0, 9.7.14.3 and 9.7.14.5,
and every sum fits the accumulator, so that no order of additions matters. With --check nothing is written; it fails
unless the file is what would be.
"""

import argparse
import itertools
import pathlib
import struct
import sys
from fractions import Fraction

PATH = pathlib.Path(__file__).parent / "forms" / "matrix_narrow.txt"
LANES = 32
ROWS, COLUMNS = 16, 8
WORD = 0xFFFFFFFF
# Of the hash that makes operands: of a thread's number, of a register's, and of the sum of both.
LANE_FACTOR, REGISTER_FACTOR, MIX = 0x9E3779B1, 0x632BE5AB, 0x85EBCA77
METADATA = 0xED9C84E9  # each digit names two different elements of four, in ascending order


def power(exponent):
    return Fraction(2) ** exponent


class Element:
    """A format: its fields in the bits of an element, and which bits of the hash make numbers of it.

    `keep` and `put` leave NaN and infinities out, and numbers so far apart that sums would need more than 24 bits.
    """

    def __init__(self, exponent_bits, fraction_bits, bias, keep, put=0, shift=0):
        self.exponent_bits, self.fraction_bits, self.bias = exponent_bits, fraction_bits, bias
        self.keep, self.put, self.shift = keep * 0x01010101, put * 0x01010101, shift

    def value(self, bits):
        bits >>= self.shift
        fraction = bits & ((1 << self.fraction_bits) - 1)
        exponent = bits >> self.fraction_bits & ((1 << self.exponent_bits) - 1)
        negative = bits >> (self.fraction_bits + self.exponent_bits) & 1
        significand = fraction + ((1 << self.fraction_bits) if exponent else 0)
        magnitude = significand * power(max(exponent, 1) - self.bias - self.fraction_bits)
        return -magnitude if negative else magnitude


ELEMENTS = {
    "e4m3": Element(4, 3, 7, keep=0x9F, put=0x20),
    "e5m2": Element(5, 2, 15, keep=0x8F, put=0x30),
    "e2m3": Element(2, 3, 1, keep=0x3F),
    "e3m2": Element(3, 2, 3, keep=0x2F),
    "e2m1": Element(2, 1, 1, keep=0x3C, shift=2),
}
PACKED = Element(2, 1, 1, keep=0xFF)
# Numbers whose sums fit 11 bits.
FEW = {"e4m3": Element(4, 3, 7, keep=0x88, put=0x30), "e5m2": Element(5, 2, 15, keep=0x84, put=0x38)}


def mixed(seed, lane, register):
    word = (lane * LANE_FACTOR + seed + register * REGISTER_FACTOR) & WORD
    word = (word ^ word >> 15) * MIX & WORD
    return word ^ word >> 13


def mixing(register, number):
    """The code that makes it, x15 the thread's number."""
    offset = number * REGISTER_FACTOR & WORD
    return (
        f"mad.lo.u32 {register}, x15, {LANE_FACTOR:#x}, a; add.u32 {register}, {register}, {offset:#x}; "
        f"shr.u32 x14, {register}, 15; xor.b32 {register}, {register}, x14; "
        f"mul.lo.u32 {register}, {register}, {MIX:#x}; "
        f"shr.u32 x14, {register}, 13; xor.b32 {register}, {register}, x14;"
    )


def float_bits(number, half):
    code, whole = ("e", "H") if half else ("f", "I")
    return struct.unpack("<" + whole, struct.pack("<" + code, float(number)))[0]


class Product:
    def __init__(self, k, a, b, sparse=False, half=False, chunks=0, scale_type=None, selectors=None):
        self.k, self.a, self.b, self.sparse, self.half = k, a, b, sparse, half
        self.chunks, self.scale_type, self.selectors = chunks, scale_type, selectors
        self.together = 8 if a is PACKED else 4  # elements of a register
        self.a_registers = ROWS * k // LANES // self.together // (2 if sparse else 1)
        self.b_registers = COLUMNS * k // LANES // self.together

    def code(self):
        lines = ["{ .reg .b32 x<16>; .reg .f32 y; mov.u32 x15, %laneid; cvt.rn.f32.u32 y, x15;"]
        a = [f"x{number}" for number in range(self.a_registers)]
        b = [f"x{number + 4}" for number in range(self.b_registers)]
        for registers, element in ((a, self.a), (b, self.b)):
            for register in registers:
                keep = f"and.b32 {register}, {register}, {element.keep:#x};"
                put = f"or.b32 {register}, {register}, {element.put:#x};"
                lines.append(f"{mixing(register, int(register[1:]))} {keep} {put}")
        operands = ["{" + ", ".join(a) + "}", "{" + ", ".join(b) + "}"]
        if self.half:
            results, added = "{d, e}", "{x11, x11}"
            lines.append("mov.b32 x11, 0;")
        else:
            results, added = "{d, e, f, g}", "{y, y, y, y}"
        operands = [results, *operands, added]
        if self.sparse:
            lines.append(f"mov.b32 x13, {METADATA:#x}; shl.b32 x14, x15, 2; shf.l.wrap.b32 x12, x13, x13, x14;")
            operands += ["x12", "0"]
        if self.chunks:
            keep, base = (0x03030303, 0x7E7E7E7E) if self.scale_type == "ue8m0" else (0x07070707, 0x38383838)
            for register in ("x8", "x9"):
                lines.append(
                    f"{mixing(register, int(register[1:]))} and.b32 {register}, {register}, {keep:#x}; "
                    f"add.u32 {register}, {register}, {base:#x};"
                )
            (byte_a, thread_a), (byte_b, thread_b), in_registers = self.selectors
            if in_registers:
                lines.append(
                    f"mov.u16 s0, {byte_a}; mov.u16 s1, {thread_a}; mov.u16 s2, {byte_b}; mov.u16 s3, {thread_b};"
                )
                operands += ["{x8}", "{s0, s1}", "{x9}", "{s2, s3}"]
            else:
                operands += ["x8", f"{{{byte_a}, {thread_a}}}", "x9", f"{{{byte_b}, {thread_b}}}"]
        lines.append("$ " + ", ".join(operands) + "; }")
        return lines

    def element(self, word, index, element):
        bits = 32 // self.together
        return element.value(word >> index * bits & ((1 << bits) - 1))

    def scale(self, seed, register, lane, first, chunk):
        word = mixed(seed, lane, register)
        if self.scale_type == "ue8m0":
            return power((word >> 8 * (first + chunk) & 3) + 0x7E - 127)
        return 1 + Fraction(word >> 8 * (first + chunk) & 7, 8)

    def matrices(self, seed):
        stored = self.k // 2 if self.sparse else self.k
        a = [[None] * stored for _ in range(ROWS)]
        b = [[None] * COLUMNS for _ in range(self.k)]
        for lane, index in itertools.product(range(LANES), range(self.together)):
            group, thread = divmod(lane, 4)
            for register in range(self.a_registers):
                word = mixed(seed, lane, register) & self.a.keep | self.a.put
                row = group + 8 * (register % 2)
                column = thread * self.together + index + 4 * self.together * (register // 2)
                a[row][column] = self.element(word, index, self.a)
            for register in range(self.b_registers):
                word = mixed(seed, lane, register + 4) & self.b.keep | self.b.put
                row = thread * self.together + index + 4 * self.together * register
                b[row][group] = self.element(word, index, self.b)
        return a, b

    def dense(self, a):
        """A with its zeros: of four elements, or pairs of elements, the metadata names two."""
        if not self.sparse:
            return a
        pair = 2 if self.together == 8 else 1
        full = [[Fraction(0)] * self.k for _ in range(ROWS)]
        for row, numbers in enumerate(a):
            for chunk in range(len(numbers) // (2 * pair)):
                lane = row % 8 * 4 + chunk // 8 * 2 + row // 8
                turn = lane * 4 % 32
                word = (METADATA << turn | METADATA >> (32 - turn)) & WORD if turn else METADATA
                digit = word >> chunk % 8 * 4 & 15
                for place, inner in itertools.product(range(2), range(pair)):
                    column = (chunk * 4 + (digit >> 2 * place & 3)) * pair + inner
                    full[row][column] = numbers[(chunk * 2 + place) * pair + inner]
        return full

    def results(self, seed):
        a, b = self.matrices(seed)
        a = self.dense(a)
        if self.chunks:
            (byte_a, thread_a), (byte_b, thread_b), _ = self.selectors
            size = self.k // self.chunks
            for row, column in itertools.product(range(ROWS), range(self.k)):
                lane = row % 8 * 4 + 2 * thread_a + row // 8
                a[row][column] *= self.scale(seed, 8, lane, byte_a, column // size)
            for row, column in itertools.product(range(self.k), range(COLUMNS)):
                b[row][column] *= self.scale(seed, 9, column * 4 + thread_b, byte_b, row // size)
        registers = [[] for _ in range(4)]
        for lane, register in itertools.product(range(LANES), range(4)):
            row, column = lane // 4 + 8 * (register // 2), 2 * (lane % 4) + register % 2
            total = sum(a[row][k] * b[k][column] for k in range(self.k)) + (0 if self.half else lane)
            bits = float_bits(total, self.half)
            kept = (
                struct.unpack("<e", struct.pack("<H", bits))
                if self.half
                else struct.unpack("<f", struct.pack("<I", bits))
            )
            assert Fraction(kept[0]) == total, "a sum does not fit the accumulator"
            registers[register].append(bits)
        if self.half:
            pairs = zip(registers[0], registers[1], strict=True), zip(registers[2], registers[3], strict=True)
            return [[low | high << 16 for low, high in pair] for pair in pairs]
        return registers


def groups():
    def words(sparse):
        return "mma.sp::ordered_metadata.sync.aligned" if sparse else "mma.sync.aligned"

    fp8 = ("e4m3", "e5m2")
    for k, sparse, half in ((16, False, True), (16, False, False), (32, False, True), (64, True, True)):
        accumulator = "f16" if half else "f32"
        for a, b in itertools.product(fp8, fp8):
            form = f"{words(sparse)}.m16n8k{k}.row.col.{accumulator}.{a}.{b}.{accumulator}"
            elements = FEW if half else ELEMENTS
            yield form, "sm_120f" if sparse else "sm_89", Product(k, elements[a], elements[b], sparse, half)
    for k, sparse in ((32, False), (64, True)):
        for a, b in itertools.product(ELEMENTS, ELEMENTS):
            form = f"{words(sparse)}.m16n8k{k}.row.col.kind::f8f6f4.f32.{a}.{b}.f32"
            yield form, "sm_120f", Product(k, ELEMENTS[a], ELEMENTS[b], sparse)
            selectors = [((0, 0), (0, 0), False), ((3, 1), (2, 3), False), ((1, 1), (3, 2), True)]
            if (a, b) != ("e4m3", "e2m1"):
                selectors = [((2, 0), (1, 1), True)]
            for chosen in selectors:
                vector = ".scale_vec::1X" if chosen[2] else ""
                form = f"{words(sparse)}.m16n8k{k}.row.col.kind::mxf8f6f4.block_scale{vector}.f32.{a}.{b}.f32.ue8m0"
                product = Product(k, ELEMENTS[a], ELEMENTS[b], sparse, False, 1, "ue8m0", chosen)
                yield form, "sm_120f", product
    for k, half in ((16, True), (16, False), (32, True)):
        accumulator = "f16" if half else "f32"
        elements = FEW if half else ELEMENTS
        form = f"mma.sync.aligned.m16n8k{k}.row.col.kind::f8f6f4.{accumulator}.e5m2.e4m3.{accumulator}"
        yield form, "sm_120f", Product(k, elements["e5m2"], elements["e4m3"], False, half)
    two = [((0, 0), (0, 0), False), ((2, 1), (2, 3), True), ((2, 0), (0, 1), False)]
    four = [((0, 1), (0, 2), False), ((0, 0), (0, 3), True)]
    for k, sparse in ((64, False), (128, True)):
        for kind, chunks, vector, scale_type, selectors in (
            ("mxf4", 2, "", "ue8m0", two),
            ("mxf4", 2, ".scale_vec::2X", "ue8m0", two[1:2]),
            ("mxf4nvf4", 2, ".scale_vec::2X", "ue8m0", two[2:]),
            ("mxf4nvf4", 4, ".scale_vec::4X", "ue4m3", four),
            ("mxf4nvf4", 4, ".scale_vec::4X", "ue8m0", four[1:]),
        ):
            for chosen in selectors:
                form = (
                    f"{words(sparse)}.m16n8k{k}.row.col.kind::{kind}.block_scale{vector}.f32.e2m1.e2m1.f32.{scale_type}"
                )
                target = "sm_120f] [ptx 9.1" if (chunks, scale_type) == (4, "ue8m0") else "sm_120f"
                yield form, target, Product(k, PACKED, PACKED, sparse, False, chunks, scale_type, chosen)


def text():
    lines = [
        "# Products of floats of 4 to 8 bits, with and without block scaling: PTX ISA 9.0, 9.7.14. Written by",
        "# matrix_cases.py, which says how.",
    ]
    for number, (form, target, product) in enumerate(groups()):
        results = "b32 b32" if product.half else "f32 f32 f32 f32"
        first, *rest = product.code()
        lines += ["", f"{form}  {results} = b32 [threads 32] [{target}] [fixed] : {first}"]
        lines += ["    | " + line for line in rest]
        seed = (number + 1) * 0x01234567 & WORD
        values = " ".join(f"0x{bits:08x}" for register in product.results(seed) for bits in register)
        lines.append(f"    0x{seed:08x} = {values}")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        PATH.write_text(text())
    elif not PATH.exists() or PATH.read_text() != text():
        sys.exit(f"not what matrix_cases.py writes, run it again: {PATH}")


if __name__ == "__main__":
    main()
