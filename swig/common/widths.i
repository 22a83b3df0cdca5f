// Fixed-width integers keep their width in every language.
//
// SWIG's own defaults cut some of them without a word: size_t and uintptr_t are 32 bits wide in C#, and -DSWIGWORDSIZE64
// turns int64_t into a 32-bit int in both Java and C#. A device address or a byte count would lose its upper half. The C
// ABI has no size_t and no long; they are mapped here too, so that a slip shows as a wide number and not as a cut one.
// tests/languages/* pass 0xFFFFFFFF00000001 through every integer path.

%include <stdint.i>

#if defined(SWIGJAVA)
// Java has no unsigned 64-bit integer, and BigInteger is no type for an address: long carries the bits
// (Long.toUnsignedString and friends read them).
%apply long long { int64_t, uint64_t, size_t, uintptr_t };
#else
%apply long long { int64_t };
%apply unsigned long long { uint64_t, size_t, uintptr_t };
#endif
%apply int { int32_t };
%apply unsigned int { uint32_t };
