import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { reportApproved, reportSubmitted } from "#test-kit/report-events.ts";
import type { KeyLookup, KeyStore } from "#vault/keys/key-store.ts";
import type { RegistryCodec } from "#vault/sealing/event-codec.ts";
import { OpenedLog } from "../testing/opened.ts";
import { isUnopened, OpeningStopped, openEvents } from "./projection.ts";

const codec = {
  subjectsOf: (events: Iterable<{ stream: string }>) =>
    [...events].map(({ stream }) => `part-${stream}`),
  openEvent: (stored: { type: string }) => ({ type: stored.type, data: {} }),
} as unknown as RegistryCodec;

/** A store with every key except those given. It records the subjects that it is asked for. */
function keyStore(...missing: string[]) {
  const asked: string[][] = [];
  const keys = {
    async get(subjects: readonly string[]) {
      asked.push([...subjects]);
      return new Map<string, KeyLookup>(
        subjects.map((subject) => [
          subject,
          missing.includes(subject)
            ? { state: "missing" }
            : { state: "present", key: randomBytes(32) },
        ]),
      );
    },
  } as unknown as KeyStore;
  return { asked, deps: { codec, keys } };
}

const opening = {
  opens: ({ stream }: { stream: string }) => stream !== "closed",
  keysOf: ({ stream }: { stream: string }) => [`row-${stream}`],
};
const stored = (log: OpenedLog) => log.take().map((event) => event.stored);

describe("opening a batch", () => {
  it("fetches each key once for many batches", async () => {
    const { asked, deps } = keyStore();
    const log = new OpenedLog().add("a", reportSubmitted());
    const { keys } = await openEvents(stored(log), opening, deps);
    log.add("a", reportApproved()).add("b", reportSubmitted()).add("b", reportApproved());
    const second = await openEvents(stored(log), opening, deps, new Map(keys));
    log.add("a", reportApproved());
    await openEvents(stored(log), opening, deps, new Map(second.keys));
    expect(asked).toEqual([
      ["part-a", "row-a"],
      ["part-b", "row-b"],
    ]);
  });

  it("fetches no key for an event that no one reads", async () => {
    const { asked, deps } = keyStore();
    const { events } = await openEvents(
      stored(new OpenedLog().add("closed", reportSubmitted())),
      opening,
      deps,
    );
    expect(events.map(isUnopened)).toEqual([false]);
    expect(asked).toEqual([]);
  });

  it("stops at the event whose key is missing", async () => {
    const { deps } = keyStore("row-b");
    const log = new OpenedLog().add("a", reportSubmitted()).add("b", reportSubmitted());
    const stop = await openEvents(stored(log), opening, deps).catch((error: unknown) => error);
    expect(stop).toBeInstanceOf(OpeningStopped);
    expect(stop).toMatchObject({ index: 1 });
  });
});
