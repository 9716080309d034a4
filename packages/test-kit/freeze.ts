import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** How long a process may take to stop, in milliseconds. */
const limitMs = 30_000;

/**
 * Sends SIGSTOP and waits until every thread has stopped: on a busy machine a thread may answer a request well
 * after the signal. Without `/proc` (macOS) it does not wait.
 *
 * @throws Error if the process has exited or does not stop.
 */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  if (process.platform !== "linux") return;
  const deadline = performance.now() + limitMs;
  while (!(await isFrozen(pid))) {
    if (performance.now() > deadline) throw new Error(`process ${pid} does not stop`);
    await delay(1);
  }
}

async function isFrozen(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`);
  const states = await Promise.all(
    // A thread that has exited counts as stopped.
    threads.map((thread) =>
      readFile(`/proc/${pid}/task/${thread}/stat`, "utf8").catch(() => ") T"),
    ),
  );
  // The state follows the program's name, which is in parentheses and may contain any character.
  return states.every((line) => /^.*\) [TtZX]/s.test(line));
}

/** Returns the child processes of a process. Linux only: it needs `/proc`. */
export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8")),
  );
  return lists.flatMap((list) => list.trim().split(" ").filter(Boolean).map(Number));
}
