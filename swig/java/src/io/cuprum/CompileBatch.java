package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Many programs at once: the loop of {@link Program#compileAll}. */
final class CompileBatch {
    private final long handle;

    private CompileBatch(int numThreads) {
        long[] batch = new long[1];
        CuprumNative.cuprum_compile_batch_create(batch, numThreads);
        handle = batch[0];
    }

    static List<ObjectCode> compile(List<CompileRequest> requests, int numThreads, Consumer<CompileProgress> progress) {
        CompileBatch batch = new CompileBatch(numThreads);
        try {
            requests.forEach(batch::add);
            while (batch.tellNext(progress)) {
                // until all are done
            }
            CuprumNative.cuprum_compile_batch_require_success(batch.handle);
            List<ObjectCode> codes = new ArrayList<>();
            for (int i = 0; i < requests.size(); ++i) {
                long[] code = new long[1];
                CuprumNative.cuprum_compile_batch_result(code, batch.handle, i);
                codes.add(new ObjectCode(code[0]));
            }
            return codes;
        } finally {
            CuprumNative.cuprum_compile_batch_destroy(batch.handle);
        }
    }

    private void add(CompileRequest request) {
        request.program().with(Operations.COMPILE_BATCH_ADD, program -> {
            String[] names = request.nameExpressions().toArray(new String[0]);
            CuprumNative.cuprum_compile_batch_add(new long[1], handle, program, request.target().value, names);
            return null;
        });
    }

    /** Whether there was one. */
    private boolean tellNext(Consumer<CompileProgress> progress) {
        int[] found = new int[1];
        long[] index = new long[1];
        long[] done = new long[1];
        long[] total = new long[1];
        int[] succeeded = new int[1];
        int[] fromCache = new int[1];
        String[] log = new String[1];
        CuprumNative.cuprum_compile_batch_next(found, index, done, total, succeeded, fromCache, log, handle);
        if (found[0] != 0) {
            progress.accept(new CompileProgress(
                    index[0], done[0], total[0], succeeded[0] != 0, fromCache[0] != 0, log[0]));
        }
        return found[0] != 0;
    }
}
