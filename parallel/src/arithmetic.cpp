#include "arithmetic.hpp"

namespace cuprum::parallel {

namespace {

// Sums, differences and products wrap around in NumPy, C# and Java; C++ leaves those of signed integers undefined, and
// the compiler takes `a + 1 > a` for true.
//
// Where the other languages raise an error (integers divided by 0, negative powers), the result is 0. NumPy's floor
// division and its remainder have the divisor's sign, its shifts by the width and more leave no bit of the number; C#
// and Java truncate, and take a shift's count modulo the width.
//
// ptxas takes it that neg.s16 of -32768 is 32768 (13.0: shr.s16 of it by 8 gives 128), and NVRTC computes in 16 bits
// what is made that narrow later. The empty asm of in_all_bits() wants all 32.
constexpr std::string_view text = R"(
namespace cuprum_arithmetic {
template <class T> inline constexpr bool is_integer = ::cuda::std::is_integral<T>::value;
template <class T> using unsigned_of = ::cuda::std::make_unsigned_t<T>;
// At least as wide as what C++ computes in, so that nothing is promoted to a signed type.
template <class T> using computed_in = decltype(unsigned_of<T>{} + 0u);

template <class A, class B> __device__ __forceinline__ auto add(A x, B y) {
    using T = decltype(x + y);
    if constexpr (is_integer<T>) {
        return static_cast<T>(static_cast<unsigned_of<T>>(x) + static_cast<unsigned_of<T>>(y));
    } else {
        return x + y;
    }
}
template <class T> __device__ __forceinline__ T in_all_bits(T result) {
    if constexpr (sizeof(T) == sizeof(int)) asm("" : "+r"(result));
    return result;
}
template <class A, class B> inline constexpr bool are_narrow = sizeof(A) < sizeof(int) && sizeof(B) < sizeof(int);

template <class A, class B> __device__ __forceinline__ auto subtract(A x, B y) {
    using T = decltype(x - y);
    if constexpr (is_integer<T>) {
        const auto result = static_cast<T>(static_cast<unsigned_of<T>>(x) - static_cast<unsigned_of<T>>(y));
        return are_narrow<A, B> ? in_all_bits(result) : result;
    } else {
        return x - y;
    }
}
template <class A, class B> __device__ __forceinline__ auto multiply(A x, B y) {
    using T = decltype(x * y);
    if constexpr (is_integer<T>) {
        const auto result = static_cast<T>(static_cast<unsigned_of<T>>(x) * static_cast<unsigned_of<T>>(y));
        return are_narrow<A, B> ? in_all_bits(result) : result;
    } else {
        return x * y;
    }
}
template <class A> __device__ __forceinline__ auto negate(A x) {
    using T = decltype(-x);
    if constexpr (is_integer<T>) {
        return in_all_bits(static_cast<T>(0u - static_cast<unsigned_of<T>>(x)));
    } else {
        return -x;
    }
}
template <class A> __device__ __forceinline__ auto absolute(A x) {
    if constexpr (is_integer<A>) {
        return x < A{0} ? negate(x) : +x;
    } else if constexpr (::cuda::std::is_same<A, double>::value) {
        return ::fabs(x);
    } else {
        return static_cast<A>(::fabsf(static_cast<float>(x)));
    }
}
// The smaller and the larger number; a NaN if there is one.
template <class A, class B> __device__ __forceinline__ auto minimum(A x, B y) {
    return x < y || x != x ? x : y;
}
template <class A, class B> __device__ __forceinline__ auto maximum(A x, B y) {
    return x > y || x != x ? x : y;
}

// The bits of a floating-point number as an integer in the order of a radix sort.
template <class Bits, class A> __device__ __forceinline__ Bits ordered(const A& x) {
    constexpr Bits sign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
    Bits bits;
    memcpy(&bits, &x, sizeof(bits));
    if (bits == sign) bits = 0;
    return static_cast<Bits>((bits & sign) != 0 ? ~bits : bits | sign);
}

// C#'s and Java's.
template <class A, class B> __device__ __forceinline__ auto truncating_divide(A x, B y) {
    using T = decltype(x / y);
    if constexpr (is_integer<T>) {
        const T a = x;
        const T b = y;
        if (b == T{0}) return T{0};
        if constexpr (::cuda::std::is_signed<T>::value) {
            if (b == T{-1}) return negate(a);
        }
        return a / b;
    } else {
        return x / y;
    }
}
template <class A, class B> __device__ __forceinline__ auto truncating_remainder(A x, B y) {
    using T = decltype(x / y);
    if constexpr (is_integer<T>) {
        const T a = x;
        const T b = y;
        if (b == T{0}) return T{0};
        if constexpr (::cuda::std::is_signed<T>::value) {
            if (b == T{-1}) return T{0};
        }
        return a % b;
    } else if constexpr (::cuda::std::is_same<T, double>::value) {
        return ::fmod(static_cast<double>(x), static_cast<double>(y));
    } else {
        return static_cast<T>(::fmodf(static_cast<float>(x), static_cast<float>(y)));
    }
}
template <class A> __device__ __forceinline__ auto masked_shift_left(A x, int count) {
    using T = decltype(+x);
    return static_cast<T>(static_cast<unsigned_of<T>>(x) << (count & (sizeof(T) * 8 - 1)));
}
template <class A> __device__ __forceinline__ auto masked_shift_right(A x, int count) {
    using T = decltype(+x);
    return static_cast<T>(static_cast<T>(x) >> (count & (sizeof(T) * 8 - 1)));
}
template <class A> __device__ __forceinline__ auto masked_unsigned_shift_right(A x, int count) {
    using T = decltype(+x);
    return static_cast<T>(static_cast<unsigned_of<T>>(x) >> (count & (sizeof(T) * 8 - 1)));
}

// NumPy's, of two operands of one type.
template <class T> __device__ __forceinline__ T floor_divide(T x, T y) {
    if constexpr (is_integer<T>) {
        if (y == T{0}) return T{0};
        if constexpr (::cuda::std::is_signed<T>::value) {
            if (y == T{-1}) return static_cast<T>(negate(x));
            return static_cast<T>(x / y - (x % y != 0 && (x < 0) != (y < 0)));
        } else {
            return static_cast<T>(x / y);
        }
    } else {
        if (y == T{0}) return x / y;
        const T rest = ::fmod(x, y);
        T quotient = (x - rest) / y;
        if (rest != T{0} && (y < T{0}) != (rest < T{0})) quotient -= T{1};
        if (quotient == T{0}) return ::copysign(T{0}, x / y);
        const T whole = ::floor(quotient);
        return quotient - whole > T{0.5} ? whole + T{1} : whole;
    }
}
template <class T> __device__ __forceinline__ T floor_remainder(T x, T y) {
    if constexpr (is_integer<T>) {
        if (y == T{0}) return T{0};
        if constexpr (::cuda::std::is_signed<T>::value) {
            if (y == T{-1}) return T{0};
            const T rest = static_cast<T>(x % y);
            return static_cast<T>(rest != 0 && (x < 0) != (y < 0) ? rest + y : rest);
        } else {
            return static_cast<T>(x % y);
        }
    } else {
        const T rest = ::fmod(x, y);
        if (y == T{0}) return rest;
        if (rest == T{0}) return ::copysign(T{0}, y);
        return (y < T{0}) != (rest < T{0}) ? rest + y : rest;
    }
}
template <class T> __device__ __forceinline__ T shift_left(T x, T count) {
    const auto places = static_cast<unsigned_of<T>>(count);
    return places < sizeof(T) * 8 ? static_cast<T>(static_cast<computed_in<T>>(x) << places) : T{0};
}
template <class T> __device__ __forceinline__ T shift_right(T x, T count) {
    const auto places = static_cast<unsigned_of<T>>(count);
    return static_cast<T>(places < sizeof(T) * 8 ? x >> places : x < T{0} ? -1 : 0);
}
template <class T> __device__ __forceinline__ T integer_power(T base, T exponent) {
    if (exponent < T{0}) return T{0};
    computed_in<T> result = 1;
    auto square = static_cast<computed_in<T>>(base);
    for (auto rest = static_cast<unsigned_of<T>>(exponent); rest != 0; rest >>= 1) {
        if ((rest & 1) != 0) result *= square;
        square *= square;
    }
    return static_cast<T>(result);
}
__device__ __forceinline__ bool less(long long x, unsigned long long y) {
    return x < 0 || static_cast<unsigned long long>(x) < y;
}
__device__ __forceinline__ bool less(unsigned long long x, long long y) {
    return y >= 0 && x < static_cast<unsigned long long>(y);
}
__device__ __forceinline__ bool equal(long long x, unsigned long long y) {
    return x >= 0 && static_cast<unsigned long long>(x) == y;
}
__device__ __forceinline__ bool equal(unsigned long long x, long long y) { return equal(y, x); }
// C++'s make infinities of what has NaNs in both parts.
template <class T> __device__ __forceinline__ T complex_multiply(const T& x, const T& y) {
    return T(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());
}
template <class T> __device__ __forceinline__ T complex_divide(const T& x, const T& y) {
    const auto real_size = ::fabs(y.real());
    const auto imag_size = ::fabs(y.imag());
    if (real_size >= imag_size) {
        if (real_size == 0 && imag_size == 0) return T(x.real() / real_size, x.imag() / real_size);
        const auto ratio = y.imag() / y.real();
        const auto scale = 1 / (y.real() + y.imag() * ratio);
        return T((x.real() + x.imag() * ratio) * scale, (x.imag() - x.real() * ratio) * scale);
    }
    const auto ratio = y.real() / y.imag();
    const auto scale = 1 / (y.imag() + y.real() * ratio);
    return T((x.real() * ratio + x.imag()) * scale, (x.imag() * ratio - x.real()) * scale);
}
}
)";

}  // namespace

std::string_view arithmetic_text() {
    return text;
}

}  // namespace cuprum::parallel
