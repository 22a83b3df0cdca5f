// pycuda::complex<T> for kernels, as PyCUDA's programs use it: float and double, laid out as NumPy's complex numbers
// are.
//
// Nothing is included, so that NVRTC has little to read. T is float or double; a real operand of an operation takes the
// complex one's precision, and of two complex operands the wider precision holds.
#pragma once

namespace pycuda {

namespace detail {

template <class T>
struct IsReal {
    static constexpr bool value = false;
};
#define PYCUDA_REAL(type)                   \
    template <>                             \
    struct IsReal<type> {                   \
        static constexpr bool value = true; \
    };
PYCUDA_REAL(bool)
PYCUDA_REAL(char)
PYCUDA_REAL(signed char)
PYCUDA_REAL(unsigned char)
PYCUDA_REAL(short)
PYCUDA_REAL(unsigned short)
PYCUDA_REAL(int)
PYCUDA_REAL(unsigned int)
PYCUDA_REAL(long)
PYCUDA_REAL(unsigned long)
PYCUDA_REAL(long long)
PYCUDA_REAL(unsigned long long)
PYCUDA_REAL(float)
PYCUDA_REAL(double)
#undef PYCUDA_REAL

template <bool condition, class T>
struct EnableIf {};
template <class T>
struct EnableIf<true, T> {
    using type = T;
};
template <class S, class T>
using IfReal = typename EnableIf<IsReal<S>::value, T>::type;

template <class A, class B>
struct Wider {
    using type = double;
};
template <class A>
struct Wider<A, A> {
    using type = A;
};

}  // namespace detail

template <class T>
struct complex {
    using value_type = T;

    T _M_re, _M_im;

    complex() = default;
    template <class S, class = detail::IfReal<S, void>>
    __host__ __device__ complex(S re) : _M_re(static_cast<T>(re)), _M_im(0) {}
    template <class R, class I>
    __host__ __device__ complex(R re, I im) : _M_re(static_cast<T>(re)), _M_im(static_cast<T>(im)) {}
    template <class U>
    __host__ __device__ complex(const complex<U>& other)
        : _M_re(static_cast<T>(other._M_re)), _M_im(static_cast<T>(other._M_im)) {}

    __host__ __device__ T real() const { return _M_re; }
    __host__ __device__ T imag() const { return _M_im; }

    template <class S>
    __host__ __device__ detail::IfReal<S, complex&> operator=(S value) {
        _M_re = static_cast<T>(value);
        _M_im = 0;
        return *this;
    }

    template <class U>
    __host__ __device__ complex& operator+=(const U& other) {
        return *this = *this + other;
    }
    template <class U>
    __host__ __device__ complex& operator-=(const U& other) {
        return *this = *this - other;
    }
    template <class U>
    __host__ __device__ complex& operator*=(const U& other) {
        return *this = *this * other;
    }
    template <class U>
    __host__ __device__ complex& operator/=(const U& other) {
        return *this = *this / other;
    }
    __host__ __device__ explicit operator bool() const { return _M_re != 0 || _M_im != 0; }
};

template <class T>
__host__ __device__ T real(const complex<T>& z) {
    return z._M_re;
}
template <class T>
__host__ __device__ T imag(const complex<T>& z) {
    return z._M_im;
}
template <class T>
__host__ __device__ complex<T> conj(const complex<T>& z) {
    return complex<T>(z._M_re, -z._M_im);
}
template <class T>
__host__ __device__ complex<T> operator+(const complex<T>& z) {
    return z;
}
template <class T>
__host__ __device__ complex<T> operator-(const complex<T>& z) {
    return complex<T>(-z._M_re, -z._M_im);
}

namespace detail {

template <class T>
__host__ __device__ complex<T> add(const complex<T>& a, const complex<T>& b) {
    return complex<T>(a._M_re + b._M_re, a._M_im + b._M_im);
}
template <class T>
__host__ __device__ complex<T> subtract(const complex<T>& a, const complex<T>& b) {
    return complex<T>(a._M_re - b._M_re, a._M_im - b._M_im);
}
template <class T>
__host__ __device__ complex<T> multiply(const complex<T>& a, const complex<T>& b) {
    return complex<T>(a._M_re * b._M_re - a._M_im * b._M_im, a._M_re * b._M_im + a._M_im * b._M_re);
}
// R. L. Smith, "Algorithm 116: Complex division", 1962: no overflow on the way to a result that has none.
template <class T>
__host__ __device__ complex<T> divide(const complex<T>& a, const complex<T>& b) {
    if ((b._M_re < 0 ? -b._M_re : b._M_re) >= (b._M_im < 0 ? -b._M_im : b._M_im)) {
        if (b._M_re == 0 && b._M_im == 0) return complex<T>(a._M_re / b._M_re, a._M_im / b._M_re);
        const T ratio = b._M_im / b._M_re, scale = 1 / (b._M_re + b._M_im * ratio);
        return complex<T>((a._M_re + a._M_im * ratio) * scale, (a._M_im - a._M_re * ratio) * scale);
    }
    const T ratio = b._M_re / b._M_im, scale = 1 / (b._M_im + b._M_re * ratio);
    return complex<T>((a._M_re * ratio + a._M_im) * scale, (a._M_im * ratio - a._M_re) * scale);
}

}  // namespace detail

#define PYCUDA_OPERATOR(symbol, function)                                                                  \
    template <class A, class B>                                                                            \
    __host__ __device__ complex<typename detail::Wider<A, B>::type> operator symbol(const complex<A>& a,   \
                                                                                    const complex<B>& b) { \
        using Result = complex<typename detail::Wider<A, B>::type>;                                        \
        return detail::function(Result(a), Result(b));                                                     \
    }                                                                                                      \
    template <class T, class S>                                                                            \
    __host__ __device__ detail::IfReal<S, complex<T>> operator symbol(const complex<T>& a, S b) {          \
        return detail::function(a, complex<T>(b));                                                         \
    }                                                                                                      \
    template <class T, class S>                                                                            \
    __host__ __device__ detail::IfReal<S, complex<T>> operator symbol(S a, const complex<T>& b) {          \
        return detail::function(complex<T>(a), b);                                                         \
    }
PYCUDA_OPERATOR(+, add)
PYCUDA_OPERATOR(-, subtract)
PYCUDA_OPERATOR(*, multiply)
PYCUDA_OPERATOR(/, divide)
#undef PYCUDA_OPERATOR

template <class A, class B>
__host__ __device__ bool operator==(const complex<A>& a, const complex<B>& b) {
    return a._M_re == b._M_re && a._M_im == b._M_im;
}
template <class T, class S>
__host__ __device__ detail::IfReal<S, bool> operator==(const complex<T>& a, S b) {
    return a._M_re == static_cast<T>(b) && a._M_im == 0;
}
template <class T, class S>
__host__ __device__ detail::IfReal<S, bool> operator==(S a, const complex<T>& b) {
    return b == a;
}
template <class A, class B>
__host__ __device__ bool operator!=(const A& a, const complex<B>& b) {
    return !(a == b);
}
template <class T, class S>
__host__ __device__ detail::IfReal<S, bool> operator!=(const complex<T>& a, S b) {
    return !(a == b);
}

template <class T>
__device__ T abs(const complex<T>& z) {
    return ::hypot(z._M_re, z._M_im);
}
template <class T>
__device__ T arg(const complex<T>& z) {
    return ::atan2(z._M_im, z._M_re);
}
template <class T>
__host__ __device__ T norm(const complex<T>& z) {
    return z._M_re * z._M_re + z._M_im * z._M_im;
}
template <class T>
__device__ complex<T> polar(T magnitude, T angle = 0) {
    return complex<T>(magnitude * ::cos(angle), magnitude * ::sin(angle));
}

template <class T>
__device__ complex<T> exp(const complex<T>& z) {
    const T magnitude = ::exp(z._M_re);
    return z._M_im == 0 ? complex<T>(magnitude, z._M_im) : polar(magnitude, z._M_im);
}
template <class T>
__device__ complex<T> log(const complex<T>& z) {
    return complex<T>(::log(abs(z)), arg(z));
}
template <class T>
__device__ complex<T> log10(const complex<T>& z) {
    const complex<T> natural = log(z);
    return complex<T>(natural._M_re / T(2.302585092994045684), natural._M_im / T(2.302585092994045684));
}
template <class T>
__device__ complex<T> sqrt(const complex<T>& z) {
    if (z._M_re == 0 && z._M_im == 0) return complex<T>(0, z._M_im);
    // The larger of the two parts of the root; half of each number first, so that their sum does not overflow.
    const T larger = ::sqrt(::fabs(z._M_re) * T(0.5) + abs(z) * T(0.5));
    const T smaller = z._M_im / (2 * larger);
    if (z._M_re >= 0) return complex<T>(larger, smaller);
    return complex<T>(::fabs(smaller), ::copysign(larger, z._M_im));
}
template <class T>
__device__ complex<T> sin(const complex<T>& z) {
    return complex<T>(::sin(z._M_re) * ::cosh(z._M_im), ::cos(z._M_re) * ::sinh(z._M_im));
}
template <class T>
__device__ complex<T> cos(const complex<T>& z) {
    return complex<T>(::cos(z._M_re) * ::cosh(z._M_im), -::sin(z._M_re) * ::sinh(z._M_im));
}
template <class T>
__device__ complex<T> sinh(const complex<T>& z) {
    return complex<T>(::sinh(z._M_re) * ::cos(z._M_im), ::cosh(z._M_re) * ::sin(z._M_im));
}
template <class T>
__device__ complex<T> cosh(const complex<T>& z) {
    return complex<T>(::cosh(z._M_re) * ::cos(z._M_im), ::sinh(z._M_re) * ::sin(z._M_im));
}
// W. Kahan's form, which neither overflows nor cancels.
template <class T>
__device__ complex<T> tanh(const complex<T>& z) {
    const T tangent = ::tan(z._M_im), secant = 1 + tangent * tangent, hyperbolic = ::sinh(z._M_re);
    if (::fabs(z._M_re) > 20)
        return complex<T>(::copysign(T(1), z._M_re), 4 * ::sin(z._M_im) * ::cos(z._M_im) * ::exp(-2 * ::fabs(z._M_re)));
    const T divisor = 1 + secant * hyperbolic * hyperbolic;
    return complex<T>(secant * ::sqrt(1 + hyperbolic * hyperbolic) * hyperbolic / divisor, tangent / divisor);
}
template <class T>
__device__ complex<T> tan(const complex<T>& z) {
    const complex<T> turned = tanh(complex<T>(-z._M_im, z._M_re));
    return complex<T>(turned._M_im, -turned._M_re);
}
template <class T>
__device__ complex<T> asinh(const complex<T>& z) {
    return log(z + sqrt(z * z + T(1)));
}
template <class T>
__device__ complex<T> atanh(const complex<T>& z) {
    return (log(T(1) + z) - log(T(1) - z)) * T(0.5);
}
template <class T>
__device__ complex<T> asin(const complex<T>& z) {
    const complex<T> turned = asinh(complex<T>(-z._M_im, z._M_re));
    return complex<T>(turned._M_im, -turned._M_re);
}
template <class T>
__device__ complex<T> acos(const complex<T>& z) {
    return T(1.570796326794896619) - asin(z);
}
template <class T>
__device__ complex<T> atan(const complex<T>& z) {
    const complex<T> turned = atanh(complex<T>(-z._M_im, z._M_re));
    return complex<T>(turned._M_im, -turned._M_re);
}

namespace detail {

// By squaring: exact where the result is, which exp(y log x) is not.
template <class T>
__device__ complex<T> power(complex<T> base, unsigned int exponent) {
    complex<T> result(1);
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) result = multiply(result, base);
        base = multiply(base, base);
    }
    return result;
}

}  // namespace detail

template <class A, class B>
__device__ complex<typename detail::Wider<A, B>::type> pow(const complex<A>& base, const complex<B>& exponent) {
    using T = typename detail::Wider<A, B>::type;
    const complex<T> x(base), y(exponent);
    if (y._M_re == 0 && y._M_im == 0) return complex<T>(1);
    if (x._M_re == 0 && x._M_im == 0) {
        if (y._M_re > 0) return complex<T>(0);
        const T none = static_cast<T>(__longlong_as_double(0x7ff8000000000000LL));
        return complex<T>(none, none);
    }
    if (y._M_im == 0 && y._M_re == ::trunc(y._M_re) && ::fabs(y._M_re) <= 100) {
        const complex<T> power = detail::power(x, static_cast<unsigned int>(::fabs(y._M_re)));
        return y._M_re < 0 ? T(1) / power : power;
    }
    return exp(y * log(x));
}
template <class T, class S>
__device__ detail::IfReal<S, complex<T>> pow(const complex<T>& base, S exponent) {
    return pow(base, complex<T>(exponent));
}
template <class T, class S>
__device__ detail::IfReal<S, complex<T>> pow(S base, const complex<T>& exponent) {
    return pow(complex<T>(base), exponent);
}

}  // namespace pycuda
