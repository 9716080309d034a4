import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Calls `onEnd` once when npm, which started this process, has exited. npm forwards signals, but not
 * SIGKILL: without this, the process would keep running and the next start would find its port and data
 * folder in use. A process that npm did not start may be meant to outlive its parent.
 */
export function untilParentEnds(startedByNpm: boolean, onEnd: () => void): void {
  if (!startedByNpm || process.platform === "win32") return;
  // Reading /proc is almost free; `ps` starts a process each time.
  const checkEveryMs = process.platform === "linux" ? 500 : 5000;
  void scriptShell().then((shell) => {
    const timer = setInterval(async () => {
      if (process.ppid === shell.parent && (await isChildOf(shell.pid, shell.npm))) return;
      clearInterval(timer);
      onEnd();
    }, checkEveryMs);
    timer.unref();
  });
}

type ScriptShell = { parent: number; pid: number; npm: number };

/** npm runs a script through `sh -c`. Some shells remain as a parent, others are replaced by the program. */
async function scriptShell(): Promise<ScriptShell> {
  const parent = process.ppid;
  const found = await describe(parent);
  const isShell = found !== undefined && /^\S*sh -c /.test(found.command);
  return isShell
    ? { parent, pid: parent, npm: found.parent }
    : { parent, pid: process.pid, npm: parent };
}

async function isChildOf(pid: number, npm: number): Promise<boolean> {
  return pid === process.pid ? process.ppid === npm : (await describe(pid))?.parent === npm;
}

async function describe(pid: number): Promise<{ parent: number; command: string } | undefined> {
  try {
    if (process.platform === "linux") {
      const [stat, command] = await Promise.all([
        readFile(`/proc/${pid}/stat`, "utf8"),
        readFile(`/proc/${pid}/cmdline`, "utf8"),
      ]);
      // The name in parentheses may contain anything; state and parent follow the last parenthesis.
      const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return { parent: Number(parent), command: command.replaceAll("\0", " ") };
    }
    const { stdout } = await run("ps", ["-o", "ppid=,command=", "-p", String(pid)]);
    const [, parent, command = ""] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? [];
    return { parent: Number(parent), command };
  } catch {
    return undefined;
  }
}
