using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum.Native;

namespace Cuprum {

/// <summary>What has become of a process.</summary>
public enum ProcessState {
    /// <summary>It runs.</summary>
    Running = 0,
    /// <summary>Its calls of CUDA wait.</summary>
    Locked = 1,
    /// <summary>Its GPU memory is in the host's, and it holds no GPU.</summary>
    Checkpointed = 2,
    /// <summary>It cannot be restored.</summary>
    Failed = 3,
}

/// <summary>
/// A process that uses CUDA, by its number, to be checkpointed: it is locked, checkpointed (its GPU memory goes to the host's,
/// and it holds no GPU any more), restored and unlocked. Linux alone, with a driver of CUDA 12.8 or newer. It is another process
/// that the user may trace or, as far as the driver does that, this one: a GPU's driver leaves a process to another one, and the
/// simulator has only the calling process.
/// </summary>
/// <remarks>
/// Every call of CUDA in a locked process waits until it is unlocked, but for those of this class. All of them throw
/// <see cref="UnsupportedException"/> where the driver has no checkpoints of that process, <see cref="NotFoundException"/>
/// where it is too old, and <see cref="DriverException"/> where there is no such process or it is in another state.
/// </remarks>
public sealed class CheckpointProcess {
    static CheckpointProcess() {
        NativeLibraries.Load();
    }

    /// <summary>Looks at nothing yet: the process is asked for at each call.</summary>
    /// <param name="pid">Its number, as <see cref="System.Diagnostics.Process.Id"/> gives it.</param>
    public CheckpointProcess(int pid) {
        if (pid <= 0) {
            throw new ArgumentOutOfRangeException(nameof(pid), "the number of a process is at least 1, not " + pid);
        }
        Pid = pid;
    }

    /// <summary>Its number.</summary>
    public int Pid { get; }

    /// <summary>What has become of it.</summary>
    public ProcessState State {
        get {
            int state;
            CuprumNative.cuprum_checkpoint_process_state(out state, Pid);
            return (ProcessState)state;
        }
    }

    /// <summary>
    /// The thread of the process that has to call <see cref="Restore"/>, where it restores itself; the operating system's number.
    /// </summary>
    public int RestoreThreadId {
        get {
            int thread;
            CuprumNative.cuprum_checkpoint_process_restore_thread_id(out thread, Pid);
            return thread;
        }
    }

    /// <summary>Lets no further work of it begin, and waits for what is under way.</summary>
    /// <param name="timeout">
    /// For how long at most, after which there is a <see cref="DriverException"/> (CUDA_ERROR_NOT_READY); zero for as long as it
    /// takes.
    /// </param>
    public void Lock(TimeSpan timeout = default(TimeSpan)) {
        if (timeout < TimeSpan.Zero || timeout.TotalMilliseconds > uint.MaxValue) {
            throw new ArgumentOutOfRangeException(nameof(timeout), "the timeout must not be negative: " + timeout);
        }
        CuprumNative.cuprum_checkpoint_process_lock(Pid, (uint)Math.Ceiling(timeout.TotalMilliseconds));
    }

    /// <summary>Takes its GPU memory to the host's, and lets go of the GPUs. It must be locked.</summary>
    public void Checkpoint() {
        CuprumNative.cuprum_checkpoint_process_checkpoint(Pid);
    }

    /// <summary>
    /// Gives it its GPUs back, or others in the place of those it had. It must be checkpointed, and is locked then.
    /// </summary>
    /// <param name="gpus">
    /// By the UUIDs of those it had, as <see cref="Device.Uuid"/> gives them, the UUIDs of those it is given; null: the same.
    /// </param>
    public void Restore(IReadOnlyDictionary<string, string> gpus = null) {
        string[] old = gpus == null ? new string[0] : gpus.Keys.ToArray();
        CuprumNative.cuprum_checkpoint_process_restore(Pid, old, old.Select(uuid => gpus[uuid]).ToArray());
    }

    /// <summary>Lets it go on.</summary>
    public void Unlock() {
        CuprumNative.cuprum_checkpoint_process_unlock(Pid);
    }

    /// <summary>The class and the number.</summary>
    public override string ToString() {
        return "CheckpointProcess " + Pid;
    }
}

}
