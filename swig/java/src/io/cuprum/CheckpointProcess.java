package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.util.Map;

/**
 * A process that uses CUDA, by its number, to be checkpointed: it is locked, checkpointed (its GPU memory goes to the host's,
 * and it holds no GPU any more), restored and unlocked. Linux alone, with a driver of CUDA 12.8 or newer. It is another process
 * that the user may trace or, as far as the driver does that, this one: a GPU's driver leaves a process to another one, and the
 * simulator has only the calling process.
 *
 * <p>Every call of CUDA in a locked process waits until it is unlocked, but for those of this class. All of them throw
 * {@link UnsupportedException} where the driver has no checkpoints of that process, {@link NotFoundException} where it is too
 * old, and {@link DriverException} where there is no such process or it is in another state.
 */
public final class CheckpointProcess {
    private final int pid;

    /** What has become of a process. */
    public enum State {
        /** It runs. */
        RUNNING,
        /** Its calls of CUDA wait. */
        LOCKED,
        /** Its GPU memory is in the host's, and it holds no GPU. */
        CHECKPOINTED,
        /** It cannot be restored. */
        FAILED
    }

    /**
     * Looks at nothing yet: the process is asked for at each call.
     *
     * @param pid its number, which {@link ProcessHandle#pid} gives
     */
    public CheckpointProcess(long pid) {
        if (pid <= 0 || pid > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the number of a process is at least 1 and an int, not " + pid);
        }
        this.pid = (int) pid;
    }

    /**
     * Its number.
     *
     * @return the number
     */
    public int pid() {
        return pid;
    }

    /**
     * What has become of it.
     *
     * @return the state
     */
    public State state() {
        int[] state = new int[1];
        CuprumNative.cuprum_checkpoint_process_state(state, pid);
        return State.values()[state[0]];
    }

    /**
     * The thread of the process that has to call {@link #restore}, where it restores itself.
     *
     * @return the thread's number, which is the operating system's
     */
    public int restoreThreadId() {
        int[] thread = new int[1];
        CuprumNative.cuprum_checkpoint_process_restore_thread_id(thread, pid);
        return thread[0];
    }

    /** Lets no further work of it begin, and waits for what is under way, as long as it takes. */
    public void lock() {
        lock(0);
    }

    /**
     * Lets no further work of it begin, and waits for what is under way.
     *
     * @param timeoutMilliseconds for how long at most; 0 for as long as it takes
     * @throws DriverException (CUDA_ERROR_NOT_READY) when the work has not ended in that time
     */
    public void lock(int timeoutMilliseconds) {
        if (timeoutMilliseconds < 0) {
            throw new IllegalArgumentException("the timeout must not be negative: " + timeoutMilliseconds);
        }
        CuprumNative.cuprum_checkpoint_process_lock(pid, timeoutMilliseconds);
    }

    /** Takes its GPU memory to the host's, and lets go of the GPUs. It must be locked. */
    public void checkpoint() {
        CuprumNative.cuprum_checkpoint_process_checkpoint(pid);
    }

    /** Gives it its GPUs back. It must be checkpointed, and is locked then. */
    public void restore() {
        restore(Map.of());
    }

    /**
     * Gives it its GPUs back, or others in the place of those it had. It must be checkpointed, and is locked then.
     *
     * @param gpus by the UUIDs of those it had, as {@link Device#uuid} gives them, the UUIDs of those it is given
     */
    public void restore(Map<String, String> gpus) {
        String[] old = gpus.keySet().toArray(new String[0]);
        String[] replacements = new String[old.length];
        for (int i = 0; i < old.length; i++) {
            replacements[i] = gpus.get(old[i]);
        }
        CuprumNative.cuprum_checkpoint_process_restore(pid, old, replacements);
    }

    /** Lets it go on. */
    public void unlock() {
        CuprumNative.cuprum_checkpoint_process_unlock(pid);
    }

    @Override
    public String toString() {
        return "CheckpointProcess " + pid;
    }
}
