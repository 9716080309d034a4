import { execFile } from "node:child_process";
import { readdir, readlink, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { readPostmaster } from "./server.ts";

const run = promisify(execFile);

/**
 * Ends what an earlier start left running on this cluster: a server whose launcher was killed, or
 * processes of a server that was itself killed. Call it only while holding the folder's lock.
 *
 * A process is only touched if it provably belongs to this cluster: it runs a program named
 * `postgres` or `initdb`, and its working directory is the cluster's folder (same device and inode;
 * without /proc, its command line names the folder). The number in postmaster.pid alone proves
 * nothing, since another program may have that number by now.
 *
 * @returns how many processes were ended.
 */
export async function endLeftovers(directory: string): Promise<number> {
  const found = await clusterProcesses(directory);
  if (found.length > 0) {
    const { pid: postmaster = 0 } = await readPostmaster(directory);
    const escalation: [NodeJS.Signals, number][] = [
      ["SIGINT", 5000],
      ["SIGQUIT", 2000],
      ["SIGKILL", 2000],
    ];
    for (const [signal, limitMs] of escalation) {
      const remaining = await clusterProcesses(directory);
      if (remaining.length === 0) break;
      // A postmaster stops its own children. Without one, each process gets a signal.
      const targets = remaining.includes(postmaster) ? [postmaster] : remaining;
      for (const pid of targets) sendSignal(pid, signal);
      await untilNone(directory, limitMs);
    }
    const survivors = await clusterProcesses(directory);
    if (survivors.length > 0)
      throw new Error(`PostgreSQL from an earlier start (process ${survivors[0]}) does not end.`);
  }
  // The process named there is no server of this cluster, so the file would only block a start.
  await rm(path.join(directory, "postmaster.pid"), { force: true });
  return found.length;
}

/** Numbers of the processes that provably belong to this cluster. */
export async function clusterProcesses(directory: string): Promise<number[]> {
  const folder = await stat(directory).catch(() => undefined);
  if (!folder) return [];
  if (process.platform === "win32") return [];
  if (process.platform !== "linux") return processesByCommandLine(directory);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const proved = await Promise.all(
    pids.map(async (pid) => {
      try {
        const program = await readlink(`/proc/${pid}/exe`);
        if (!isPostgresProgram(program.replace(/ \(deleted\)$/, ""))) return false;
        const cwd = await stat(`/proc/${pid}/cwd`);
        return cwd.dev === folder.dev && cwd.ino === folder.ino;
      } catch {
        // It has ended meanwhile, or belongs to somebody else.
        return false;
      }
    }),
  );
  return pids.filter((_, index) => proved[index]).map(Number);
}

async function processesByCommandLine(directory: string): Promise<number[]> {
  const { stdout } = await run("ps", ["-axww", "-o", "pid=,command="]);
  return stdout.split("\n").flatMap((line) => {
    const [, pid, command = ""] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    const [program = ""] = command.split(" -D ");
    const isOurs = isPostgresProgram(program) && command.includes(` -D ${directory} -p `);
    return isOurs ? [Number(pid)] : [];
  });
}

function isPostgresProgram(file: string): boolean {
  return ["postgres", "initdb"].includes(path.basename(file));
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

async function untilNone(directory: string, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline && (await clusterProcesses(directory)).length > 0) await delay(50);
}
