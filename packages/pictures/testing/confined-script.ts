/** Tries what the process of a picture must not do, and prints how each attempt ended. */
import { spawnSync } from "node:child_process";
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
    network: await connected(Number(process.argv[2])),
  }),
);
