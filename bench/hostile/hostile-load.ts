import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** Requests that each connection sends in turn, the next as soon as one is answered. */
export interface HostileLoadOptions {
  readonly url: string;
  readonly connections: number;
  readonly requests: readonly {
    readonly method: "GET" | "POST";
    readonly path: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  }[];
}

/** What a load came to. */
export interface HostileCount {
  readonly seconds: number;
  /** Connections that were closed, and requests that were not answered. */
  readonly errors: number;
  /** How often each status was answered. */
  readonly statuses: readonly (readonly [string, number])[];
}

/** Does the work under the load, from its first answer on. */
export async function underLoad<T>(
  options: HostileLoadOptions,
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly count: HostileCount }> {
  const file = new URL("./hostile-load.worker.ts", import.meta.url);
  const worker = new Worker(file, { workerData: options });
  try {
    await once(worker, "message");
    const done = await work();
    const counted = once(worker, "message") as Promise<[HostileCount]>;
    worker.postMessage("stop");
    const [count] = await counted;
    return { done, count };
  } finally {
    await worker.terminate();
  }
}
