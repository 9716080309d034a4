import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { onTestFinished } from "vitest";
import { host } from "./upstream.fixture.ts";

export interface UpstreamProcess {
  readonly url: string;
  /** Received requests: method and path. */
  readonly seen: readonly string[];
  freeze(): void;
  thaw(): void;
}

/** Starts a service process that can be frozen, until the test is finished. */
export async function upstreamProcess(): Promise<UpstreamProcess> {
  const child = fork(path.join(import.meta.dirname, "upstream-process.ts"));
  onTestFinished(async () => {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  });
  const seen: string[] = [];
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  child.on("message", (message: { seen: string }) => void seen.push(message.seen));
  return {
    url: `http://${host}:${port}`,
    seen,
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
  };
}
