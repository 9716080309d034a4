import { EventSourceParserStream } from "eventsource-parser/stream";
import { CHANGE_EVENTS, CHANGES, type Change } from "#contracts/http/changes.ts";

/** The server sends something every five seconds. After this much silence, the connection is considered lost. */
const SILENCE_MS = 15_000;
/** Backoff in milliseconds: initial (also after an open stream ends), and maximum. */
const AGAIN_MS = { first: 500, most: 5_000 } as const;
/** Wait after a 4xx response: rate limited or not authorized. */
const REFUSED_MS = 60_000;

/** Called with what has changed; undefined if anything may have. */
type ChangeListener = (changes: readonly Change[] | undefined) => void;

interface Options {
  /** Authenticated as the session's account. Must not time out a response that is still open. */
  readonly fetch: typeof globalThis.fetch;
  readonly random?: () => number;
}

type End = "closed" | "failed" | "refused" | "unwanted";

/**
 * Follows changes made by others while it runs. Reconnects whenever the stream ends and asks for missed changes, even
 * after being stopped for a while. A 204 means not to reconnect (HTML Living Standard, 9.2.1).
 */
export class ChangeStream {
  readonly #options: Options;
  readonly #listeners = new Set<ChangeListener>();
  #lastId: string | undefined;
  #running: AbortController | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  start(): void {
    if (this.#running) return;
    this.#running = new AbortController();
    void this.#run(this.#running.signal);
  }

  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }

  /** @returns a function to unsubscribe. */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(changes: readonly Change[] | undefined): void {
    for (const listener of this.#listeners) listener(changes);
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { random = Math.random } = this.#options;
    let pauseMs: number = AGAIN_MS.first;
    while (!signal.aborted) {
      const end = await this.#read(signal);
      if (end === "unwanted") return;
      if (end === "closed") pauseMs = AGAIN_MS.first;
      await paused((end === "refused" ? REFUSED_MS : pauseMs) * (0.5 + random() / 2), signal);
      pauseMs = Math.min(pauseMs * 2, AGAIN_MS.most);
    }
  }

  async #read(outer: AbortSignal): Promise<End> {
    const { fetch } = this.#options;
    const silence = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
    };
    heard();
    let end: End = "failed";
    try {
      const headers = new Headers({ Accept: "text/event-stream" });
      if (this.#lastId !== undefined) headers.set("Last-Event-ID", this.#lastId);
      const signal = AbortSignal.any([outer, silence.signal]);
      const response = await fetch(CHANGES, { headers, cache: "no-store", signal });
      if (response.status === 204) return "unwanted";
      if (response.status >= 400 && response.status < 500) return "refused";
      if (!response.ok || !response.body) return "failed";
      const events = response.body
        .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
        .pipeThrough(new EventSourceParserStream({ onComment: heard }))
        .getReader();
      for (let next = await events.read(); !next.done; next = await events.read()) {
        end = "closed";
        heard();
        this.#take(next.value);
      }
      return end;
    } catch {
      // Lost, silent or stopped.
      return end;
    } finally {
      clearTimeout(timer);
    }
  }

  #take(message: {
    readonly event?: string | undefined;
    readonly id?: string | undefined;
    readonly data: string;
  }): void {
    // Claims are not in the log, so changes to them may have been missed before the stream opened.
    if (message.event === CHANGE_EVENTS.open) this.#tell([{ resource: "queue" }]);
    if (message.event === CHANGE_EVENTS.changes) this.#tell(JSON.parse(message.data) as Change[]);
    if (message.event === CHANGE_EVENTS.reset) this.#tell(undefined);
    // Set only after listeners were notified, so anything lost in between is sent again.
    if (message.id !== undefined) this.#lastId = message.id;
  }
}

function paused(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
