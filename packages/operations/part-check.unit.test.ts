import { describe, expect, it, vi } from "vitest";
import { FilesUnavailable } from "#files/port.ts";
import { CountersUnavailable } from "#http/counters/redis/shared-counters.ts";
import { modeOf, PART_LIMIT_MS, runPart } from "./part-check.ts";

const failing = (error: Error) =>
  runPart({ part: "s3", mode: "external", check: () => Promise.reject(error) });
const coded = (code: string) => Object.assign(new Error("x"), { code });

describe("the check of a part", () => {
  it("is connected when the part answers", async () => {
    const report = await runPart({ part: "keys", mode: "embedded", check: async () => 1 });
    expect(report).toMatchObject({ part: "keys", mode: "embedded", status: "connected" });
  });

  it("is disconnected without an answer, and an error if refused", async () => {
    const statuses = await Promise.all(
      [
        coded("ECONNREFUSED"),
        coded("ETIMEDOUT"),
        new CountersUnavailable(),
        new FilesUnavailable("the file store failed (TimeoutError)"),
        new FilesUnavailable("the file store failed (403)"),
        coded("EAUTH"),
        new Error("x"),
      ].map(async (error) => (await failing(error)).status),
    );
    expect(statuses).toEqual([...Array(4).fill("disconnected"), ...Array(3).fill("error")]);
  });

  it("times out and counts as disconnected", async () => {
    vi.useFakeTimers();
    try {
      const running = runPart({
        part: "email",
        mode: "external",
        check: () => new Promise(() => {}),
      });
      await vi.advanceTimersByTimeAsync(PART_LIMIT_MS);
      expect(await running).toMatchObject({ status: "disconnected" });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("the mode of a part", () => {
  it.each([
    ["file:///var/mails", "embedded"],
    ["postgres://a:b@127.0.0.1:5433/x", "embedded"],
    ["postgres://a:b@127.0.0.1:5432/x", "external"],
    ["redis://127.0.0.1:5433", "external"],
    ["s3://key:secret@host/bucket", "external"],
  ] as const)("of %s is %s", (url, mode) => {
    expect(modeOf(url, "127.0.0.1:5433")).toBe(mode);
  });
});
