import { rename, stat } from "node:fs/promises";
import { type DestinationStream, multistream, pino } from "pino";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import { errorCode } from "#runtime/lifecycle/refusal.ts";

const sizeLimitBytes = 10 * 1024 * 1024;
const checkEveryMs = 60_000;

export type LogFile = {
  destination: DestinationStream;
  /** Stops writing errors to the terminal, so that the launcher's last message stays at its end. */
  quietTerminal(): void;
  close(): void;
};

/** Writes the services' log to a file, and errors also to the terminal. Rotates a large file. */
export async function openLogFile(file: string): Promise<LogFile> {
  await rotate(file);
  const stream = pino.destination({ dest: file, sync: true, mode: 0o600, mkdir: false });
  // A full disk must not end the process because a log line cannot be written.
  stream.on("error", () => undefined);
  const rotation = new Periodic(async () => (await rotate(file)) && stream.reopen(), {
    everyMs: checkEveryMs,
  });
  rotation.start();
  let terminal = true;
  return {
    destination: multistream([
      { level: "trace", stream },
      { level: "error", stream: { write: (line) => terminal && process.stderr.write(line) } },
    ]),
    quietTerminal() {
      terminal = false;
    },
    close() {
      rotation.pause();
      stream.end();
    },
  };
}

async function rotate(file: string): Promise<boolean> {
  const size = await stat(file).then(
    (found) => found.size,
    (error) => {
      if (errorCode(error) === "ENOENT") return 0;
      throw error;
    },
  );
  if (size < sizeLimitBytes) return false;
  await rename(file, `${file}.1`);
  return true;
}
