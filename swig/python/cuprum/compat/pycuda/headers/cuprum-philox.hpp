// Random numbers for kernels: Philox4x32-10, with functions under cuRAND's names, for toolkits without cuRAND's
// headers.
//
// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC '11: a
// bijection of a counter, under a key. A state's seed is the key, its sequence the upper half of the counter.
#pragma once

namespace cuprum {

__device__ inline uint4 philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        if (round > 0) {
            key.x += 0x9E3779B9u;
            key.y += 0xBB67AE85u;
        }
        const unsigned int high0 = __umulhi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
        const unsigned int high1 = __umulhi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
        counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    }
    return counter;
}

struct PhiloxState {
    uint2 key;
    unsigned long long sequence;
    // Of 32 bits each, that the sequence has given.
    unsigned long long given;
    uint4 block;
};

__device__ inline uint4 philox_block(const PhiloxState& state, unsigned long long block) {
    const uint4 counter =
        make_uint4(static_cast<unsigned int>(block), static_cast<unsigned int>(block >> 32),
                   static_cast<unsigned int>(state.sequence), static_cast<unsigned int>(state.sequence >> 32));
    return philox(counter, state.key);
}

// 24 and 53 bits, as numbers from 0 to 1, without 1.
__device__ inline float uniform_float(unsigned int bits) {
    return (bits >> 8) * (1.0f / 16777216.0f);
}
__device__ inline double uniform_double(unsigned int high, unsigned int low) {
    return static_cast<double>(static_cast<unsigned long long>(high) << 21 | low >> 11) * (1.0 / 9007199254740992.0);
}

}  // namespace cuprum

typedef cuprum::PhiloxState CuprumPhiloxState;

__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                   CuprumPhiloxState* state) {
    state->key = make_uint2(static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32));
    state->sequence = sequence;
    state->given = offset;
    state->block = cuprum::philox_block(*state, offset / 4);
}

__device__ inline void skipahead(unsigned long long count, CuprumPhiloxState* state) {
    state->given += count;
    state->block = cuprum::philox_block(*state, state->given / 4);
}

__device__ inline void skipahead_sequence(unsigned long long count, CuprumPhiloxState* state) {
    state->sequence += count;
    skipahead(0, state);
}

__device__ inline unsigned int curand(CuprumPhiloxState* state) {
    const unsigned int position = state->given % 4;
    const unsigned int bits = position == 0   ? state->block.x
                              : position == 1 ? state->block.y
                              : position == 2 ? state->block.z
                                              : state->block.w;
    ++state->given;
    if (position == 3) state->block = cuprum::philox_block(*state, state->given / 4);
    return bits;
}

// As cuRAND's: 1 is among the numbers, 0 is not.
__device__ inline float curand_uniform(CuprumPhiloxState* state) {
    return 1 - cuprum::uniform_float(curand(state));
}
__device__ inline double curand_uniform_double(CuprumPhiloxState* state) {
    const unsigned int high = curand(state);
    return 1 - cuprum::uniform_double(high, curand(state));
}

// G. E. P. Box, M. E. Muller, 1958: two numbers of the normal distribution from two uniform ones.
__device__ inline float2 curand_normal2(CuprumPhiloxState* state) {
    const float radius = sqrtf(-2 * logf(curand_uniform(state))), angle = 2 * curand_uniform(state);
    return make_float2(radius * cospif(angle), radius * sinpif(angle));
}
__device__ inline double2 curand_normal2_double(CuprumPhiloxState* state) {
    const double radius = sqrt(-2 * log(curand_uniform_double(state))), angle = 2 * curand_uniform_double(state);
    return make_double2(radius * cospi(angle), radius * sinpi(angle));
}
__device__ inline float curand_normal(CuprumPhiloxState* state) {
    return curand_normal2(state).x;
}
__device__ inline double curand_normal_double(CuprumPhiloxState* state) {
    return curand_normal2_double(state).x;
}

__device__ inline float curand_log_normal(CuprumPhiloxState* state, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(state));
}
__device__ inline double curand_log_normal_double(CuprumPhiloxState* state, double mean, double deviation) {
    return exp(mean + deviation * curand_normal_double(state));
}
__device__ inline float2 curand_log_normal2(CuprumPhiloxState* state, float mean, float deviation) {
    const float2 normal = curand_normal2(state);
    return make_float2(expf(mean + deviation * normal.x), expf(mean + deviation * normal.y));
}
__device__ inline double2 curand_log_normal2_double(CuprumPhiloxState* state, double mean, double deviation) {
    const double2 normal = curand_normal2_double(state);
    return make_double2(exp(mean + deviation * normal.x), exp(mean + deviation * normal.y));
}

// Small means by products of uniform numbers (D. E. Knuth); others by transformed rejection (W. Hoermann, "The
// transformed rejection method for generating Poisson random variables", 1993, algorithm PTRS).
__device__ inline unsigned int curand_poisson(CuprumPhiloxState* state, double mean) {
    if (!(mean > 0)) return 0;
    if (mean < 10) {
        const double limit = exp(-mean);
        unsigned int count = 0;
        for (double product = curand_uniform_double(state); product > limit; product *= curand_uniform_double(state))
            ++count;
        return count;
    }
    const double root = sqrt(mean), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
        const double distance = 0.5 - fabs(u), count = floor((2 * a / distance + b) * u + mean + 0.43);
        if (distance >= 0.07 && v <= v_r) return static_cast<unsigned int>(count);
        if (count < 0 || (distance < 0.013 && v > distance)) continue;
        if (log(v * inverse_alpha / (a / (distance * distance) + b)) <= count * log(mean) - mean - lgamma(count + 1)) {
            return static_cast<unsigned int>(count);
        }
    }
}
