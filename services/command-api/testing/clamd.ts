import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "#local-servers/postgres/server.ts";

/** A text that the tests' scanners report as harmful. */
export const HARMFUL = "canary-for-the-virus-scanner";

export interface TestScanner {
  readonly url: string;
  stop(): Promise<void>;
}

/** Finds the daemon's executable; undefined if it is not installed. */
export function findClamd(): string | undefined {
  const { stdout } = spawnSync("sh", ["-c", "command -v clamd || command -v /usr/sbin/clamd"]);
  return stdout.toString().trim() || undefined;
}

/** Starts ClamAV's daemon with one signature, for {@link HARMFUL}. It needs no network. */
export async function startClamd(program: string): Promise<TestScanner> {
  const folder = await mkdtemp(path.join(tmpdir(), "registry-clamd-"));
  const signatures = path.join(folder, "signatures");
  await mkdir(signatures);
  const hex = Buffer.from(HARMFUL).toString("hex");
  await writeFile(path.join(signatures, "test.ndb"), `Registry.Test:0:*:${hex}\n`);
  const port = await freePort();
  const settings = path.join(folder, "clamd.conf");
  await writeFile(
    settings,
    `Foreground yes\nTCPSocket ${port}\nTCPAddr 127.0.0.1\nDatabaseDirectory ${signatures}\n`,
  );
  const daemon = spawn(program, [`--config-file=${settings}`], { stdio: "ignore" });
  const exited = new Promise((resolve) => daemon.once("exit", resolve));
  await answers(port, () => daemon.exitCode !== null);
  return {
    url: `tcp://127.0.0.1:${port}`,
    async stop() {
      daemon.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(port: number, isOver: () => boolean): Promise<void> {
  for (;;) {
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (isUp) return;
    if (isOver()) throw new Error("clamd has ended");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** How a stand-in for the daemon answers a complete file; undefined to never answer. */
export type Verdict = (file: Buffer) => string | undefined;

/** Starts a server that speaks the daemon's protocol, for answers that a real one cannot be made to give. */
export async function startStandIn(verdict: Verdict): Promise<TestScanner> {
  const server = createServer((socket) => {
    let read = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      const file = sentFile(read);
      const answer = file && verdict(file);
      if (answer !== undefined) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `tcp://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Extracts the file from a complete INSTREAM command; undefined while incomplete. */
function sentFile(read: Buffer): Buffer | undefined {
  const command = Buffer.from("zINSTREAM\0");
  if (read.length < command.length) return undefined;
  if (!read.subarray(0, command.length).equals(command)) throw new Error("another command");
  const chunks: Buffer[] = [];
  for (let at = command.length; at + 4 <= read.length; ) {
    const length = read.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(read.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}
