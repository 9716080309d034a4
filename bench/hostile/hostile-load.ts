import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** Each connection sends these requests in turn, the next one as soon as one is answered. */
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

/** The result of a load. */
export interface HostileCount {
  readonly seconds: number;
  /** Connections that were closed, and requests without a reply. */
  readonly errors: number;
  /** How often each status was returned. */
  readonly statuses: readonly (readonly [string, number])[];
}

/** Does the work under the load, starting at its first reply. */
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
