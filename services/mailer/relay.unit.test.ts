import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { MailJobs } from "./jobs/port.ts";
import { createRelay } from "./relay.ts";

/** Runs the relay over emails that stay due until their job is taken. */
async function relay(options: {
  /** Whether the queue keeps the n-th job (counted from 0). */
  keeps: (n: number) => boolean;
  fails?: (n: number) => boolean;
  /** Milliseconds until a job counts as lost. */
  sweepMs?: number;
}) {
  const due = new Set(["mail-a", "mail-b"]);
  const added: string[] = [];
  const errors: unknown[] = [];
  const ending = new AbortController();
  const jobs: Pick<MailJobs, "add"> = {
    add: async (mailId: string) => {
      const n = added.push(mailId) - 1;
      if (options.fails?.(n)) throw new Error("the queue is away");
      if (options.keeps(n)) due.delete(mailId);
      if (due.size === 0 || n > 50) ending.abort();
    },
  };
  const read = createRelay({
    outbox: { due: async () => [...due] },
    jobs,
    sweepMs: options.sweepMs ?? 5,
  });
  while (!ending.signal.aborted) {
    await read(ending.signal).catch((error) => errors.push(error));
    await delay(1);
  }
  return { added, errors, left: [...due] };
}

describe("the relay", () => {
  it("adds one job to the queue for each due email", async () => {
    const { added, left } = await relay({ keeps: () => true });
    expect(added).toEqual(["mail-a", "mail-b"]);
    expect(left).toEqual([]);
  });

  it("re-adds jobs that the queue lost", async () => {
    const { added, left } = await relay({ keeps: (n) => n >= 4 });
    expect(left).toEqual([]);
    expect(added.length).toBeGreaterThanOrEqual(6);
  });

  it("resumes after the queue was down", async () => {
    const options = { keeps: () => true, fails: (n: number) => n < 2, sweepMs: 3_600_000 };
    const { left, errors } = await relay(options);
    expect(errors.length).toBe(1);
    expect(left).toEqual([]);
  });
});
