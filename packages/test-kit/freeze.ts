import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** How long a process may take until it stands still, in milliseconds. */
const limitMs = 30_000;

/**
 * SIGSTOP, and waits until every thread stands still: on a busy machine one of them may answer a
 * request well after the signal was sent. Without `/proc` (macOS) it does not wait.
 *
 * @throws Error when the process is gone, or does not stop.
 */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  if (process.platform !== "linux") return;
  const deadline = performance.now() + limitMs;
  while (!(await standsStill(pid))) {
    if (performance.now() > deadline) throw new Error(`process ${pid} does not stop`);
    await delay(1);
  }
}

async function standsStill(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`);
  const states = await Promise.all(
    // A thread that ended meanwhile stands still too.
    threads.map((thread) =>
      readFile(`/proc/${pid}/task/${thread}/stat`, "utf8").catch(() => ") T"),
    ),
  );
  // The state follows the program's name, which is in parentheses and may hold any character.
  return states.every((line) => /^.*\) [TtZX]/s.test(line));
}
