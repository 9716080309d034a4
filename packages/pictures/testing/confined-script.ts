/** Tries what a picture's process must not do, and prints how each attempt ended. */
import { spawnSync } from "node:child_process";
import dgram from "node:dgram";
import { readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import { Worker } from "node:worker_threads";
import { variableNames } from "./config.ts";

function ended(attempt: () => unknown): string {
  try {
    attempt();
    return "done";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "failed";
  }
}

function connected(port: number): Promise<string> {
  return new Promise((resolve) => {
    const end = ended(() => {
      const socket = net.connect(port, "127.0.0.1");
      socket.on("connect", () => resolve("done"));
      socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "failed"));
    });
    if (end !== "done") resolve(end);
  });
}

const fetched = (port: number) =>
  fetch(`http://127.0.0.1:${port}`).then(
    () => "done",
    ({ cause }: { cause?: NodeJS.ErrnoException }) => cause?.code ?? "failed",
  );

const root = `${import.meta.dirname}/../../..`;
console.log(
  JSON.stringify({
    variables: variableNames(),
    passwords: ended(() => readFileSync("/etc/passwd")),
    environment: ended(() => readFileSync(`/proc/${process.ppid}/environ`)),
    configuration: ended(() => readFileSync(`${root}/docker-compose.yml`)),
    writing: ended(() => writeFileSync(`${import.meta.dirname}/written`, "x")),
    process: ended(() => spawnSync("ls")),
    thread: ended(() => new Worker("1", { eval: true })),
    datagram: ended(() =>
      dgram.createSocket("udp4").send("x", Number(process.argv[2]), "127.0.0.1"),
    ),
    fetched: await fetched(Number(process.argv[2])),
    network: await connected(Number(process.argv[2])),
  }),
);
