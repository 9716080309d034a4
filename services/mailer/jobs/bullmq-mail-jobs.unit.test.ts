import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createMailJobs, Handling, type MailJobsParts } from "./bullmq-mail-jobs.ts";

afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<never>(() => undefined);

function jobs(parts: Partial<MailJobsParts> = {}, work: () => Promise<void> = async () => {}) {
  const handling = new Handling(() => work().then(() => "done"));
  const ended = { run: async () => undefined, close: async () => undefined };
  const opened = createMailJobs({
    queue: () => ({ add: never, close: async () => undefined }),
    worker: ended,
    handling,
    onError: () => undefined,
    isPaused: never,
    remedy: "",
    disconnect: async () => undefined,
    ...parts,
  });
  return { jobs: opened, handling };
}

it("runs BullMQ's worker again after each failure", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const run = vi.fn(() => Promise.reject(new Error("away")));
  const { jobs: opened } = jobs({ worker: { run, close: async () => undefined } });
  opened.run();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(run).toHaveBeenCalledTimes(3);
  await opened.close();
});

describe("closing the mail queue", () => {
  it("waits for an email in progress, even one that BullMQ no longer tracks", async () => {
    const gate = Promise.withResolvers<void>();
    const { jobs: opened, handling } = jobs({}, () => gate.promise);
    const data = { mailId: "mail-a" };
    void handling.take({ data, attemptsStarted: 1, moveToDelayed: never });
    let closed = false;
    const closing = opened.close().then(() => {
      closed = true;
    });
    for (let n = 0; n < 20; n += 1) await turn();
    expect(closed).toBe(false);
    gate.resolve();
    await closing;
  });

  it("finishes even if BullMQ never does", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { jobs: opened } = jobs({
      queue: () => ({ add: never, close: never }),
      worker: { run: never, close: never },
      disconnect: never,
    });
    opened.run();
    let closed = false;
    const closing = opened.close().then(() => {
      closed = true;
    });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(closed).toBe(true);
    await closing;
  });
});
