import { EventSourceParserStream } from "eventsource-parser/stream";
import { CHANGE_EVENTS, CHANGES, type Change } from "#contracts/http/changes.ts";

/** The server says something every five seconds. After this silence the connection is taken for lost. */
const SILENCE_MS = 15_000;
/** Milliseconds until the next attempt: after a stream that was open, and at most. */
const AGAIN_MS = { first: 500, most: 5_000 } as const;
/** After a refusal: by the bounds, or of the account. */
const REFUSED_MS = 60_000;

interface Options {
  /** As the session's account. It must not limit the time of a reply. */
  readonly fetch: typeof globalThis.fetch;
  /** Called with what has changed; undefined when that may be anything. */
  readonly onChanges: (changes: readonly Change[] | undefined) => void;
  readonly random?: () => number;
  readonly silenceMs?: number;
}

/** How an attempt ended: the stream was open, nobody answered, or the server does not want it. */
type End = "closed" | "failed" | "refused" | "unwanted";

/**
 * Follows what others change while it runs. It connects again after each end and asks for what it
 * missed, also after it was stopped for a while. 204 says that nothing will ever come (HTML Living Standard, 9.2.1).
 */
export class ChangeStream {
  readonly #options: Options;
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
    const { fetch, silenceMs = SILENCE_MS } = this.#options;
    const silence = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
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
    const { onChanges } = this.#options;
    // Claims have no place in the log: what was read before may lack some.
    if (message.event === CHANGE_EVENTS.open) onChanges([{ resource: "queue" }]);
    if (message.event === CHANGE_EVENTS.changes) onChanges(JSON.parse(message.data) as Change[]);
    if (message.event === CHANGE_EVENTS.reset) onChanges(undefined);
    // Once it was told of: what is lost in between comes again.
    if (message.id !== undefined) this.#lastId = message.id;
  }
}

/** Waits so long, or until it is stopped. */
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
