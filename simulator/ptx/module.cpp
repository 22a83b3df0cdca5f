#include "ptx/module.hpp"

namespace cuprum::simulator::ptx {

uint32_t size_of(ScalarType type) {
    switch (type) {
        case ScalarType::none:
            return 0;
        case ScalarType::b8:
        case ScalarType::u8:
        case ScalarType::s8:
        case ScalarType::pred:
        case ScalarType::e4m3:
        case ScalarType::e5m2:
        case ScalarType::e2m3:
        case ScalarType::e3m2:
        case ScalarType::e2m1:
        case ScalarType::e2m1x2:
            return 1;
        case ScalarType::b16:
        case ScalarType::u16:
        case ScalarType::s16:
        case ScalarType::f16:
        case ScalarType::bf16:
        case ScalarType::e4m3x2:
        case ScalarType::e5m2x2:
        case ScalarType::e2m3x2:
        case ScalarType::e3m2x2:
        case ScalarType::ue8m0x2:
        case ScalarType::s2f6x2:
        case ScalarType::e2m1x4:
            return 2;
        case ScalarType::b32:
        case ScalarType::u32:
        case ScalarType::s32:
        case ScalarType::f16x2:
        case ScalarType::bf16x2:
        case ScalarType::f32:
        case ScalarType::u16x2:
        case ScalarType::s16x2:
        case ScalarType::tf32:
        case ScalarType::b1:
        case ScalarType::u4:
        case ScalarType::s4:
        case ScalarType::u2:
        case ScalarType::s2:
        case ScalarType::e4m3x4:
        case ScalarType::e5m2x4:
        case ScalarType::e2m3x4:
        case ScalarType::e3m2x4:
            return 4;
        case ScalarType::b64:
        case ScalarType::u64:
        case ScalarType::s64:
        case ScalarType::f64:
        case ScalarType::f32x2:
            return 8;
        case ScalarType::b128:
            return 16;
    }
    return 0;
}

}  // namespace cuprum::simulator::ptx
