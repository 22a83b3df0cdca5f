// Decoding of branches, of what ends a thread or waits, and of hints that nothing acts on.
#pragma once

namespace cuprum::simulator {

class FunctionDecoder;

void decode_branch(FunctionDecoder& decoder);
void decode_branch_indexed(FunctionDecoder& decoder);
void decode_exit(FunctionDecoder& decoder);
void decode_trap(FunctionDecoder& decoder);
void decode_breakpoint(FunctionDecoder& decoder);
void decode_sleep(FunctionDecoder& decoder);
void decode_event(FunctionDecoder& decoder);
void decode_register_count(FunctionDecoder& decoder);
void decode_dependency(FunctionDecoder& decoder);

}  // namespace cuprum::simulator
