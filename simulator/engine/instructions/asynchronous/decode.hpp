// Decoding of mbarrier, cp.async and cp.async.bulk.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_mbarrier(FunctionDecoder& decoder);
void decode_asynchronous_copy(FunctionDecoder& decoder);

}  // namespace cuprum::simulator
