import type { ResolvedEvent } from "@eventstore/db-client";
import { NoAnswer } from "./failures.ts";
import type { RecordedEvent } from "./records.ts";

/** The part of the client's streamed reads that is used here. */
export interface EventSource {
  on(event: "data", listener: (event: ResolvedEvent) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  cancel(): Promise<void>;
}

export interface StreamingLimits {
  /** Longest silence before the first event, and between two events, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the read with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Takes the events of one streamed read until it ends or `take` returns false, and cancels it
 * unless it ended by itself.
 * @returns whether the server had nothing more to send.
 * @throws {NoAnswer} nothing came within the limit. @throws what the client or `take` throws.
 */
export async function takeEvents(
  open: () => EventSource,
  { timeoutMs, signal }: StreamingLimits,
  take: (event: RecordedEvent) => boolean,
): Promise<boolean> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const source = open();
  const timer = setTimeout(() => reject(new NoAnswer(timeoutMs)), timeoutMs);
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  let over = false;
  let ended = false;
  source.on("data", ({ event }) => {
    timer.refresh();
    if (over || !event) return;
    try {
      if (!take(event)) {
        over = true;
        resolve(false);
      }
    } catch (error) {
      over = true;
      reject(error);
    }
  });
  source.on("end", () => {
    ended = true;
    resolve(true);
  });
  // The listener stays: an error without a listener would end the process.
  source.on("error", reject);
  source.on("close", () => reject(new Error("the read was closed before its end")));
  try {
    return await promise;
  } finally {
    over = true;
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    if (!ended) source.cancel().catch(() => undefined);
  }
}
