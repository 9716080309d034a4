import { fork } from "node:child_process";
import path from "node:path";
import type { Logger } from "pino";
import type {
  BackupProgress,
  BackupReport,
  BackupTask,
  RunBackup,
} from "#operations/backup-table.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../../ops/backup.ts");
/** Milliseconds it gets to remove what it has written so far. */
const CLEAN_UP_MS = 5_000;
/** Trailing characters of its stderr that are logged. */
const MAX_WORDS = 2_000;

function argumentsOf(task: BackupTask): string[] {
  if (task.task === "make") return task.byHand ? [] : ["--scheduled"];
  return task.name === undefined ? ["list"] : ["verify", task.name];
}

/** Makes and verifies backups with `npm run backup` in a child process, so that they don't delay requests. */
export function backupProcess(log: Pick<Logger, "error">): RunBackup {
  return async (signal, { task, wrote }) => {
    const child = fork(PROGRAM, argumentsOf(task), { stdio: ["ignore", "ignore", "pipe", "ipc"] });
    let killing: NodeJS.Timeout | undefined;
    const end = () => {
      child.kill("SIGTERM");
      killing = setTimeout(() => void child.kill("SIGKILL"), CLEAN_UP_MS);
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
    let report: BackupReport | undefined;
    let words = "";
    child.on("message", (message) => {
      const said = message as BackupReport | BackupProgress;
      if (said.outcome === "writing") wrote(said.bytes);
      else report = said;
    });
    child.stderr?.on("data", (chunk) => {
      words = (words + String(chunk)).slice(-MAX_WORDS);
    });
    await new Promise<void>((resolve) => {
      child.once("close", () => resolve());
      child.once("error", () => resolve());
    });
    clearTimeout(killing);
    signal.removeEventListener("abort", end);
    if (report && report.outcome !== "failed") return report;
    if (!signal.aborted) log.error({ words: words.trim(), task: task.task }, "the backup failed");
    return report ?? { outcome: "failed", reason: "other" };
  };
}
