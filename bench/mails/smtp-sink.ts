import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** @returns the URL of a new SMTP server that accepts every mail, and what ends it. */
export async function startSmtpSink(): Promise<{
  readonly url: string;
  stop(): Promise<unknown>;
}> {
  const worker = new Worker(new URL("./smtp-sink.worker.ts", import.meta.url));
  const [port] = (await once(worker, "message")) as [number];
  return { url: `smtp://127.0.0.1:${port}`, stop: () => worker.terminate() };
}
