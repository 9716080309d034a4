import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Change } from "#contracts/http/changes.ts";
import { ChangeStream } from "./change-stream.ts";

const REPORT: Change = { resource: "reports", id: "a" };
/** Changes to claims before the stream opened are not replayed. */
const CLAIMS: Change = { resource: "queue" };
const frame = (event: string, id: string | undefined, changes: readonly Change[] = []) =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(changes)}\n\n`;

/** A server that returns the next answer on each call, and repeats the last one. */
function serve(...answers: (() => Response | Promise<Response>)[]) {
  const asked: { since: string | null; signal: AbortSignal }[] = [];
  const fetch = async (_url: unknown, init: RequestInit = {}) => {
    const since = new Headers(init.headers).get("last-event-id");
    asked.push({ since, signal: init.signal as AbortSignal });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return (answer as () => Response)();
  };
  return { fetch: fetch as typeof globalThis.fetch, asked };
}

function text(body: string, stays = false): () => Response {
  return () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(body));
          if (!stays) controller.close();
        },
      }),
    );
}

const refusal = (status: number) => () => new Response("{}", { status });

let told: (readonly Change[] | undefined)[];
let stream: ChangeStream;
function follow(fetch: typeof globalThis.fetch) {
  told = [];
  stream = new ChangeStream({ fetch, random: () => 1 });
  stream.subscribe((changes) => told.push(changes));
  stream.start();
}
const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  stream.stop();
  vi.useRealTimers();
});

describe("the console's change stream", () => {
  it("passes on what changed, resets, and possible changes to claims when it opens", async () => {
    const { fetch } = serve(
      text(frame("open", "1") + frame("changes", "2", [REPORT]) + frame("reset", "3"), true),
    );
    follow(fetch);
    await later(10);
    expect(told).toEqual([[CLAIMS], [REPORT], undefined]);
  });

  it("reconnects after the stream ends, and asks for what it missed", async () => {
    const { fetch, asked } = serve(
      text(frame("open", "1")),
      text(frame("changes", "2", [REPORT])),
      text("", true),
    );
    follow(fetch);
    await later(600);
    await later(600);
    expect(asked.map(({ since }) => since)).toEqual([null, "1", "2"]);
    expect(told).toEqual([[CLAIMS], [REPORT]]);
  });

  it("reads nothing while stopped, and asks for what it missed when restarted", async () => {
    const { fetch, asked } = serve(text(frame("open", "7"), true));
    follow(fetch);
    await later(10);
    stream.stop();
    await later(60_000);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.signal.aborted).toBe(true);
    stream.start();
    stream.start();
    await later(10);
    expect(asked.map(({ since }) => since)).toEqual([null, "7"]);
  });

  it("backs off after each failed attempt, up to five seconds", async () => {
    const { fetch, asked } = serve(refusal(503));
    follow(fetch);
    const counts: number[] = [];
    for (const ms of [0, 500, 1_000, 2_000, 4_000, 5_000, 5_000]) {
      await later(ms);
      counts.push(asked.length);
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await later(4_900);
    expect(asked).toHaveLength(7);
  });

  it.each([401, 403, 429])(
    "retries once a minute if the server refuses it (%d)",
    async (status) => {
      const { fetch, asked } = serve(refusal(status));
      follow(fetch);
      await later(59_000);
      expect(asked).toHaveLength(1);
      await later(1_000);
      expect(asked).toHaveLength(2);
    },
  );

  it("does not reconnect after a 204", async () => {
    const { fetch, asked } = serve(() => new Response(null, { status: 204 }));
    follow(fetch);
    await later(3_600_000);
    expect(asked).toHaveLength(1);
  });

  it("drops a silent connection, and treats a comment as a sign of life", async () => {
    let send: (text: string) => void = () => undefined;
    const { fetch, asked } = serve(
      () =>
        new Response(
          new ReadableStream({
            start(controller) {
              send = (line) => controller.enqueue(new TextEncoder().encode(line));
            },
          }),
        ),
    );
    follow(fetch);
    await later(14_000);
    send(":\n\n");
    await later(14_000);
    expect(asked[0]?.signal.aborted).toBe(false);
    await later(1_000);
    expect(asked[0]?.signal.aborted).toBe(true);
  });
});
