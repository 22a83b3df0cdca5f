// Products with a sparse A: mma.sp of every shape, type and sparsity selector. A is made dense here and stored in
// registers as the ISA says (PTX ISA 9.0, 9.7.14.6); the product of the dense one is what is expected. Values are small
// integers, so that every order of summation gives the same result.
#include <bit>
#include <random>

#include "execution.hpp"

namespace cuprum::core {
namespace {

constexpr size_t m = 16, n = 8, lanes = 32;

enum class Kind { f16, bf16, tf32, e4m3, e5m2, s8, u8, s4, u4 };
struct Type {
    const char* name;
    Kind kind;
    unsigned bits;
    int least, most;
};
constexpr Type f16{"f16", Kind::f16, 16, -7, 7}, bf16{"bf16", Kind::bf16, 16, -7, 7},
    tf32{"tf32", Kind::tf32, 32, -7, 7}, e4m3{"e4m3", Kind::e4m3, 8, -7, 7}, e5m2{"e5m2", Kind::e5m2, 8, -4, 4},
    s8{"s8", Kind::s8, 8, -128, 127}, u8{"u8", Kind::u8, 8, 0, 255}, s4{"s4", Kind::s4, 4, -8, 7},
    u4{"u4", Kind::u4, 4, 0, 15};

// A float of one sign bit, some of the exponent and some of the fraction, of an integer that it can hold.
uint32_t float_bits(int value, unsigned exponent_bits, unsigned fraction_bits) {
    if (value == 0) return 0;
    const auto magnitude = static_cast<uint32_t>(std::abs(value));
    const auto exponent = static_cast<uint32_t>(std::bit_width(magnitude)) - 1;
    const uint32_t biased = exponent + (1U << (exponent_bits - 1)) - 1;
    const uint32_t fraction = (magnitude << fraction_bits >> exponent) & ((1U << fraction_bits) - 1);
    return (value < 0 ? 1U << (exponent_bits + fraction_bits) : 0) | biased << fraction_bits | fraction;
}

uint32_t encode(const Type& type, int value) {
    switch (type.kind) {
        case Kind::f16:
            return float_bits(value, 5, 10);
        case Kind::bf16:
            return float_bits(value, 8, 7);
        case Kind::tf32:
            return float_bits(value, 8, 23);
        case Kind::e4m3:
            return float_bits(value, 4, 3);
        case Kind::e5m2:
            return float_bits(value, 5, 2);
        default:
            return static_cast<uint32_t>(value) & ((1U << type.bits) - 1);
    }
}

struct Product {
    size_t k;
    const char* accumulator;  // f32, f16 or s32
    Type a, b;
    unsigned selectors;
    const char* saturates = "";
};

// What the lanes hold: word `reg` of `lane` at [reg * lanes + lane].
struct Fragments {
    std::vector<uint32_t> a, b, metadata;
    size_t a_registers = 0, b_registers = 0;
};

// A by rows, as dense as it is sparse: of every chunk half the elements are not zero.
struct SparseMatrix {
    std::vector<int> dense, stored;
    std::vector<uint32_t> chunks;  // 4 bits of metadata each, by rows
};

std::string text_of(const Product& product, const Fragments& fragments, const char* variant, unsigned selector) {
    const bool halves = std::string(product.accumulator) == "f16", integers = std::string(product.accumulator) == "s32";
    const size_t results = halves ? 2 : 4;
    const auto registers = [](const char* prefix, size_t count) {
        std::string list = "{";
        for (size_t r = 0; r < count; ++r)
            list += (r == 0 ? prefix : std::string(", ") + prefix) + std::to_string(r);
        return list + "}";
    };
    const char* const kind = halves || integers ? "b32" : "f32";
    std::string text =
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 po, .param .u64 pa, .param .u64 "
        "pb, .param .u64 pe)\n{\n.reg .b32 %a<8>, %b<8>, %e; .reg .b64 %o, %pa, %pb, %pe, %l; .reg .u32 %t;\n.reg ." +
        std::string(kind) + " %d<4>;\nmov.u32 %t, %tid.x; mul.wide.u32 %l, %t, 4;\n";
    for (const char* const parameter : {"o", "a", "b", "e"}) {
        const std::string reg = *parameter == 'o' ? "%o" : std::string("%p") + parameter;
        text += "ld.param.u64 " + reg + ", [p" + parameter + "]; add.u64 " + reg + ", " + reg + ", %l;\n";
    }
    const auto load = [&](const char* to, const char* from, size_t count) {
        for (size_t r = 0; r < count; ++r) {
            text += std::string("ld.global.b32 ") + to + std::to_string(r) + ", [" + from + "+" +
                    std::to_string(r * lanes * 4) + "];\n";
        }
    };
    load("%a", "%pa", fragments.a_registers);
    load("%b", "%pb", fragments.b_registers);
    load("%d", "%o", results);
    text += "ld.global.b32 %e, [%pe];\n";
    const std::string d = registers("%d", results);
    text += std::string("mma.") + variant + ".sync.aligned.m16n8k" + std::to_string(product.k) + ".row.col" +
            product.saturates + "." + product.accumulator + "." + product.a.name + "." + product.b.name + "." +
            product.accumulator + " " + d + ", " + registers("%a", fragments.a_registers) + ", " +
            registers("%b", fragments.b_registers) + ", " + d + ", %e, " + std::to_string(selector) + ";\n";
    for (size_t r = 0; r < results; ++r)
        text += "st.global.b32 [%o+" + std::to_string(r * lanes * 4) + "], %d" + std::to_string(r) + ";\n";
    return text + "ret;\n}\n";
}

class SparseMatrices : public Execution {
protected:
    int between(int least, int most) { return std::uniform_int_distribution(least, most)(random_); }
    int element(const Type& type) { return between(type.least, type.most); }

    SparseMatrix sparse_matrix(const Product& product) {
        SparseMatrix matrix{std::vector<int>(m * product.k), {}, {}};
        // The two that are kept of four (or pairs that are kept of four pairs), the first one first; of tf32 one of
        // two.
        constexpr uint32_t two_of_four[] = {0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110};
        const size_t together = product.a.bits == 4 ? 2 : 1, width = product.a.bits == 32 ? 2 : 4 * together;
        for (size_t row = 0; row < m; ++row) {
            for (size_t first = 0; first < product.k; first += width) {
                const auto keep = [&](size_t column) {
                    const int value = element(product.a);
                    matrix.dense[row * product.k + first + column] = value;
                    matrix.stored.push_back(value);
                };
                if (product.a.bits == 32) {
                    const bool second = between(0, 1) == 1;
                    matrix.chunks.push_back(second ? 0b1110 : 0b0100);
                    keep(second ? 1 : 0);
                    continue;
                }
                const uint32_t chunk = two_of_four[static_cast<size_t>(between(0, 5))];
                matrix.chunks.push_back(chunk);
                for (const size_t place : {chunk & 3, chunk >> 2}) {
                    for (size_t within = 0; within < together; ++within)
                        keep(place * together + within);
                }
            }
        }
        return matrix;
    }

    // Lane 4 g + t has elements of the rows g and g + 8 of A, where A is as wide as what is stored of it, and of column
    // g of B. What no lane is asked for is noise.
    Fragments fragments_of(const Product& product, const SparseMatrix& matrix, const std::vector<int>& b,
                           unsigned selector) {
        Fragments fragments;
        const size_t together = 32 / product.a.bits, width = product.k / 2;
        fragments.a_registers = m * width / lanes / together;
        fragments.b_registers = product.k * n / lanes / together;
        fragments.a.resize(fragments.a_registers * lanes);
        fragments.b.resize(fragments.b_registers * lanes);
        for (size_t lane = 0; lane < lanes; ++lane) {
            const size_t g = lane / 4, t = lane % 4;
            for (size_t e = 0; e < together; ++e) {
                const size_t shift = e * product.a.bits;
                for (size_t r = 0; r < fragments.a_registers; ++r) {
                    const size_t row = g + r % 2 * 8, column = t * together + e + r / 2 * 4 * together;
                    fragments.a[r * lanes + lane] |= encode(product.a, matrix.stored[row * width + column]) << shift;
                }
                for (size_t r = 0; r < fragments.b_registers; ++r) {
                    const size_t row = t * together + e + r * 4 * together;
                    fragments.b[r * lanes + lane] |= encode(product.b, b[row * n + g]) << shift;
                }
            }
        }
        for (size_t lane = 0; lane < lanes; ++lane)
            fragments.metadata.push_back(static_cast<uint32_t>(random_()));
        const size_t chunks = matrix.chunks.size() / m, holders = 4 / product.selectors;
        for (size_t row = 0; row < m; ++row) {
            for (size_t chunk = 0; chunk < chunks; ++chunk) {
                // Large elements: four chunks of each of the two rows in a lane; small ones: eight of one row.
                const bool large = product.a.bits >= 16;
                const size_t holder = large ? chunk / 4 : chunk / 8 * 2 + row / 8;
                const size_t place = large ? row / 8 * 4 + chunk % 4 : chunk % 8;
                uint32_t& word = fragments.metadata[row % 8 * 4 + selector * holders + holder];
                word = (word & ~(15U << 4 * place)) | matrix.chunks[row * chunks + chunk] << 4 * place;
            }
        }
        return fragments;
    }

    void expect_product(const Product& product, const char* variant) {
        for (unsigned selector = 0; selector < product.selectors; ++selector) {
            const SparseMatrix a = sparse_matrix(product);
            std::vector<int> b(product.k * n), expected(m * n);
            for (int& value : b)
                value = element(product.b);
            for (int& value : expected)
                value = between(-100, 100);
            const bool halves = std::string(product.accumulator) == "f16";
            const bool floats = std::string(product.accumulator) == "f32";
            const size_t in_register = halves ? 2 : 1;
            // Element `index` of a lane of C and D.
            const auto place = [&](size_t lane, size_t index) {
                return (lane / 4 + index / 2 * 8) * n + lane % 4 * 2 + index % 2;
            };
            std::vector<uint32_t> d(4 / in_register * lanes);
            for (size_t index = 0; index < 4 * lanes; ++index) {
                const int value = expected[place(index % lanes, index / lanes)];
                const uint32_t bits = halves   ? encode(f16, value)
                                      : floats ? encode(tf32, value)
                                               : static_cast<uint32_t>(value);
                d[index / lanes / in_register * lanes + index % lanes] |= bits << 16 * (index / lanes % in_register);
            }
            for (size_t i = 0; i < m; ++i) {
                for (size_t j = 0; j < n; ++j) {
                    for (size_t k = 0; k < product.k; ++k)
                        expected[i * n + j] += a.dense[i * product.k + k] * b[k * n + j];
                }
            }
            const Fragments fragments = fragments_of(product, a, b, selector);
            const std::string text = text_of(product, fragments, variant, selector);
            const Buffer out = test::buffer_of(device, d), in_a = test::buffer_of(device, fragments.a),
                         in_b = test::buffer_of(device, fragments.b),
                         in_e = test::buffer_of(device, fragments.metadata);
            run(ObjectCode::from_ptx(text), "k", {1, 32}, out, in_a, in_b, in_e);
            const std::vector<uint32_t> found = test::values_of<uint32_t>(out);
            for (size_t index = 0; index < 4 * lanes; ++index) {
                const uint32_t word = found[index / lanes / in_register * lanes + index % lanes];
                const int value = expected[place(index % lanes, index / lanes)];
                const uint32_t bits = halves ? word >> 16 * (index / lanes % 2) & 0xffff : word;
                const uint32_t wanted = halves   ? encode(f16, value)
                                        : floats ? encode(tf32, value)
                                                 : static_cast<uint32_t>(value);
                ASSERT_EQ(bits, wanted) << "lane " << index % lanes << ", element " << index / lanes << " of\n" << text;
            }
        }
    }

    std::mt19937 random_{25};
};

TEST_F(SparseMatrices, ProductsAreThoseOfTheDenseMatrix) {
    for (const char* const variant : {"sp", "sp::ordered_metadata"}) {
        for (const Product& product : {
                 Product{16, "f32", f16, f16, 4},
                 Product{32, "f32", f16, f16, 2},
                 Product{16, "f16", f16, f16, 4},
                 Product{32, "f16", f16, f16, 2},
                 Product{16, "f32", bf16, bf16, 4},
                 Product{32, "f32", bf16, bf16, 2},
                 Product{8, "f32", tf32, tf32, 4},
                 Product{16, "f32", tf32, tf32, 2},
                 Product{64, "f32", e4m3, e4m3, 1},
                 Product{64, "f32", e4m3, e5m2, 1},
                 Product{64, "f32", e5m2, e4m3, 1},
                 Product{64, "f32", e5m2, e5m2, 1},
             })
            expect_product(product, variant);
        for (const char* const saturates : {"", ".satfinite"}) {
            for (const Type& a : {s8, u8}) {
                for (const Type& b : {s8, u8}) {
                    expect_product({32, "s32", a, b, 2, saturates}, variant);
                    expect_product({64, "s32", a, b, 1, saturates}, variant);
                }
            }
            for (const Type& a : {s4, u4}) {
                for (const Type& b : {s4, u4}) {
                    expect_product({64, "s32", a, b, 2, saturates}, variant);
                    expect_product({128, "s32", a, b, 1, saturates}, variant);
                }
            }
        }
    }
}

}  // namespace
}  // namespace cuprum::core
