import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eventDefinitions, type ReportEvent, type UserEvent } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import { GENESIS_HASH, verifyLink } from "#event-store/chain.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { KeyLookup } from "../../keys/key-store.ts";
import { openClient } from "../event-codec.ts";
import { registryCodec } from "../registry-codec.ts";

/** What was once stored must open forever, with its keys and without. */
interface Samples {
  keys: Record<string, string>;
  events: { stored: StoredEvent; opened: Record<string, unknown> }[];
}

const codec = registryCodec;
const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".json"));
const samples = files.map(
  (name) =>
    [name, JSON.parse(readFileSync(`${import.meta.dirname}/${name}`, "utf8")) as Samples] as const,
);
const destroyed = (keys: Record<string, string>): Map<string, KeyLookup> =>
  new Map(Object.keys(keys).map((key) => [key, { state: "destroyed", at: "2026-11-22" }]));
const present = (keys: Record<string, string>): Map<string, KeyLookup> =>
  new Map(
    Object.entries(keys).map(([key, text]) => [
      key,
      { state: "present", key: Buffer.from(text, "base64") },
    ]),
  );

/** Data of an earlier version in the shape of the newest. */
function lifted({ type, metadata }: StoredEvent, opened: Record<string, unknown>) {
  if (metadata.schemaVersion > 1) return opened;
  const { slug_hash, verification: link, ...rest } = opened;
  if (type === "ReportVerificationResent") return { link };
  if (type === "ReportEdited") return { ...rest, former: { slug_hash } };
  if (type !== "ReportSubmitted") return opened;
  const { slug, ...personal } = opened.personal as Record<string, unknown>;
  return { ...rest, link, personal, former: { slug_hash, slug } };
}

describe.each(samples)("the stored events of %s", (_name, { keys, events }) => {
  it("open to what was written", () => {
    for (const { stored, opened } of events) {
      expect(codec.openEvent(stored, present(keys)).data).toEqual(lifted(stored, opened));
      expect(openClient(stored, present(keys))).toEqual({ ip: "192.0.2.9", user_agent: "Firefox" });
    }
  });

  it("open with every part null once the keys are destroyed, and still fold", () => {
    let state: ReportState | undefined;
    const accounts = new Map<string, AccountState>();
    for (const { stored, opened } of events) {
      const event = codec.openEvent(stored, destroyed(keys));
      const parts = codec.subjectsOf([stored]).length;
      const nulls = Object.values(event.data).filter((value) => value === null);
      expect(nulls).toHaveLength(parts);
      expect(Object.keys(event.data).sort()).toEqual(Object.keys(lifted(stored, opened)).sort());
      if (stored.stream.startsWith("report-")) state = evolveReport(state, event as ReportEvent);
      if (stored.stream.startsWith("user-")) {
        const account = evolveAccount(accounts.get(stored.stream), event as UserEvent);
        accounts.set(stored.stream, account);
      }
    }
    for (const { profile } of accounts.values()) expect(profile).toBeNull();
    expect(state).toMatchObject({ status: "deleted", personal: null, reporter: null, slug: null });
  });

  it("keep their chain", () => {
    const tips = new Map<string, { revision: number; hash: string }>();
    for (const { stored } of events) {
      expect(verifyLink(tips.get(stored.stream), stored)).toBeUndefined();
      tips.set(stored.stream, { revision: stored.revision, hash: stored.metadata.hash });
    }
    expect(GENESIS_HASH).toHaveLength(64);
  });

  it("show nothing personal in the clear", () => {
    const text = JSON.stringify(events.map(({ stored }) => stored));
    for (const value of [
      "Zoë",
      "Ames",
      "zoe@",
      "4242",
      "Denver",
      "rae@",
      "Dana",
      "amps",
      "No proof",
    ]) {
      expect(text).not.toContain(value);
    }
  });
});

it("hold every version of every event", () => {
  const held = new Set(
    samples.flatMap(([, { events }]) =>
      events.map(({ stored }) => `${stored.type} ${stored.metadata.schemaVersion}`),
    ),
  );
  for (const { type, version } of eventDefinitions) {
    for (let v = 1; v <= version; v += 1) expect(held).toContain(`${type} ${v}`);
  }
});
