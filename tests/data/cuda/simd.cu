// The SIMD intrinsics on bytes and halves, dot products, byte permutation, funnel shifts, the DPX functions, bits.
extern "C" __global__ void simd_halves(const unsigned* in, unsigned* out) {
    const unsigned a = in[0], b = in[1];
    int k = 0;
    out[k++] = __vabs2(a), out[k++] = __vabsdiffs2(a, b), out[k++] = __vabsdiffu2(a, b), out[k++] = __vabsss2(a);
    out[k++] = __vadd2(a, b), out[k++] = __vaddss2(a, b), out[k++] = __vaddus2(a, b), out[k++] = __vavgs2(a, b);
    out[k++] = __vavgu2(a, b), out[k++] = __vhaddu2(a, b), out[k++] = __vcmpeq2(a, b), out[k++] = __vcmpges2(a, b);
    out[k++] = __vcmpgeu2(a, b), out[k++] = __vcmpgts2(a, b), out[k++] = __vcmpgtu2(a, b), out[k++] = __vcmples2(a, b);
    out[k++] = __vcmpleu2(a, b), out[k++] = __vcmplts2(a, b), out[k++] = __vcmpltu2(a, b), out[k++] = __vcmpne2(a, b);
    out[k++] = __vmaxs2(a, b), out[k++] = __vmaxu2(a, b), out[k++] = __vmins2(a, b), out[k++] = __vminu2(a, b);
    out[k++] = __vneg2(a), out[k++] = __vnegss2(a), out[k++] = __vsads2(a, b), out[k++] = __vsadu2(a, b);
    out[k++] = __vseteq2(a, b), out[k++] = __vsetges2(a, b), out[k++] = __vsetgtu2(a, b), out[k++] = __vsetne2(a, b);
    out[k++] = __vsub2(a, b), out[k++] = __vsubss2(a, b), out[k++] = __vsubus2(a, b);
}

extern "C" __global__ void simd_bytes(const unsigned* in, unsigned* out) {
    const unsigned a = in[0], b = in[1];
    int k = 0;
    out[k++] = __vabs4(a), out[k++] = __vabsdiffs4(a, b), out[k++] = __vabsdiffu4(a, b), out[k++] = __vabsss4(a);
    out[k++] = __vadd4(a, b), out[k++] = __vaddss4(a, b), out[k++] = __vaddus4(a, b), out[k++] = __vavgs4(a, b);
    out[k++] = __vavgu4(a, b), out[k++] = __vhaddu4(a, b), out[k++] = __vcmpeq4(a, b), out[k++] = __vcmpges4(a, b);
    out[k++] = __vcmpgeu4(a, b), out[k++] = __vcmpgts4(a, b), out[k++] = __vcmpgtu4(a, b), out[k++] = __vcmples4(a, b);
    out[k++] = __vcmpleu4(a, b), out[k++] = __vcmplts4(a, b), out[k++] = __vcmpltu4(a, b), out[k++] = __vcmpne4(a, b);
    out[k++] = __vmaxs4(a, b), out[k++] = __vmaxu4(a, b), out[k++] = __vmins4(a, b), out[k++] = __vminu4(a, b);
    out[k++] = __vneg4(a), out[k++] = __vnegss4(a), out[k++] = __vsads4(a, b), out[k++] = __vsadu4(a, b);
    out[k++] = __vseteq4(a, b), out[k++] = __vsetges4(a, b), out[k++] = __vsetgtu4(a, b), out[k++] = __vsetne4(a, b);
    out[k++] = __vsub4(a, b), out[k++] = __vsubss4(a, b), out[k++] = __vsubus4(a, b);
}

extern "C" __global__ void dynamic_programming(const int* in, int* out, const unsigned* uin, unsigned* uout, bool* flags) {
    const int a = in[0], b = in[1], c = in[2];
    const unsigned x = uin[0], y = uin[1], z = uin[2];
    int k = 0;
    out[k++] = __vimax3_s32(a, b, c), out[k++] = __vimin3_s32(a, b, c), out[k++] = __viaddmax_s32(a, b, c);
    out[k++] = __viaddmin_s32(a, b, c), out[k++] = __vimax_s32_relu(a, b), out[k++] = __vimin_s32_relu(a, b);
    out[k++] = __vimax3_s32_relu(a, b, c), out[k++] = __viaddmax_s32_relu(a, b, c), out[k++] = __vibmax_s32(a, b, flags);
    out[k++] = __vibmin_s32(a, b, flags + 1);
    k = 0;
    uout[k++] = __vimax3_s16x2(x, y, z), uout[k++] = __vimax3_u16x2(x, y, z), uout[k++] = __vimin3_s16x2(x, y, z);
    uout[k++] = __vimin3_u16x2(x, y, z), uout[k++] = __viaddmax_s16x2(x, y, z), uout[k++] = __viaddmin_u16x2(x, y, z);
    uout[k++] = __vimax_s16x2_relu(x, y), uout[k++] = __vimin_s16x2_relu(x, y), uout[k++] = __vimax3_u32(x, y, z);
    uout[k++] = __viaddmax_s16x2_relu(x, y, z), uout[k++] = __vibmax_s16x2(x, y, flags + 2, flags + 3);
    uout[k++] = __vibmin_u16x2(x, y, flags + 4, flags + 5);
}

extern "C" __global__ void bits(const unsigned* in, unsigned* out, const long long* lin, long long* lout) {
    const unsigned a = in[0], b = in[1], c = in[2];
    const long long l = lin[0], m = lin[1];
    int k = 0;
    out[k++] = __popc(a), out[k++] = __clz(a), out[k++] = __ffs(a), out[k++] = __brev(a), out[k++] = __byte_perm(a, b, c);
    out[k++] = __funnelshift_l(a, b, c), out[k++] = __funnelshift_lc(a, b, c), out[k++] = __funnelshift_r(a, b, c);
    out[k++] = __funnelshift_rc(a, b, c), out[k++] = __umulhi(a, b), out[k++] = __mulhi(int(a), int(b));
    out[k++] = __mul24(int(a), int(b)), out[k++] = __umul24(a, b), out[k++] = __usad(a, b, c), out[k++] = __sad(int(a), int(b), c);
    out[k++] = __hadd(int(a), int(b)), out[k++] = __rhadd(int(a), int(b)), out[k++] = __uhadd(a, b), out[k++] = __urhadd(a, b);
    out[k++] = __dp4a(a, b, c), out[k++] = __dp4a(int(a), int(b), int(c)), out[k++] = __dp2a_lo(a, b, c);
    out[k++] = __dp2a_hi(int(a), int(b), int(c)), out[k++] = __fns(a, b & 31, int(c));
    out[k++] = __popcll(l), out[k++] = __clzll(l), out[k++] = __ffsll(l);
    out[k++] = min(a, b), out[k++] = max(a, b), out[k++] = abs(int(a)), out[k++] = (a >> (b & 15)) & ((1u << (c & 15)) - 1);
    lout[0] = __brevll(l), lout[1] = __mul64hi(l, m), lout[2] = __umul64hi(l, m), lout[3] = min(l, m), lout[4] = llabs(l);
    lout[5] = l / m, lout[6] = l % m, lout[7] = (unsigned long long)l / (unsigned long long)m;
}
