import { startedByNpm } from "./config.ts";

/** npm passes signals on, but cannot do so for SIGKILL: then this process is left behind. */
const checkEveryMs = 500;

/**
 * Calls `onEnd` once when npm, which started this process, is gone: nobody would stop it then, and
 * the next start would find its port and data folder in use. A process that was not started by npm
 * may be meant to outlive its parent and is left alone.
 */
export function untilParentEnds(onEnd: () => void): void {
  if (!startedByNpm() || process.platform === "win32") return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onEnd();
  }, checkEveryMs);
  timer.unref();
}
