import { EventSourceParserStream } from "eventsource-parser/stream";
import { CHANGES, type Change } from "#contracts/http/changes.ts";

/** A server-sent event, and its resume position. */
export interface ReceivedEvent {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly changes: readonly Change[];
}

/** A stream of changes that a test reads. */
export interface OpenedStream {
  readonly response: Response;
  /** The next event; undefined once the stream has ended. */
  next(): Promise<ReceivedEvent | undefined>;
  close(): void;
}

/** Opens the stream of changes. @param origin of the service, for example `http://127.0.0.1:3002`. */
export async function openChanges(
  origin: string,
  headers: Readonly<Record<string, string>>,
): Promise<OpenedStream> {
  const closing = new AbortController();
  const response = await fetch(origin + CHANGES, {
    headers: { accept: "text/event-stream", ...headers },
    signal: closing.signal,
  });
  // Error bodies are left to the test.
  const events = (response.ok ? response.body : null)
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  return {
    response,
    async next() {
      const read = await events?.read();
      if (!read || read.done) return undefined;
      const { event, id, data } = read.value;
      return { event, id, changes: JSON.parse(data) as Change[] };
    },
    close: () => closing.abort(),
  };
}
