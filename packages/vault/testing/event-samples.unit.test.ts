import { describe, expect, it } from "vitest";
import { eventDefinitions, type ReportEvent, type UserEvent } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import { reportOfTextKey } from "#contracts/sealed.ts";
import { verifyLink } from "#event-store/batch.ts";
import type { KeyLookup } from "../keys/key-store.ts";
import { openClient, registryCodec } from "../sealing/event-codec.ts";
import { eventSamples, sampleKeys } from "./event-samples.ts";

const destroyed = new Map<string, KeyLookup>(
  [...sampleKeys.keys()].map((key) => [key, { state: "destroyed", at: "2026-11-22" }]),
);

describe("the sample events", () => {
  it("include every type", () => {
    const types = new Set(eventSamples.map(({ stored }) => stored.type));
    expect(eventDefinitions.map(({ type }) => type).filter((type) => !types.has(type))).toEqual([]);
  });

  it("open to what was sealed", () => {
    for (const { stored, opened } of eventSamples) {
      expect(registryCodec.openEvent(stored, sampleKeys).data).toEqual(opened);
      expect(openClient(stored, sampleKeys)).toEqual({ ip: "192.0.2.9", user_agent: "Firefox" });
    }
  });

  it("open with every part null once the keys are destroyed, and still fold", () => {
    let state: ReportState | undefined;
    const accounts = new Map<string, AccountState>();
    for (const { stored, opened } of eventSamples) {
      const event = registryCodec.openEvent(stored, destroyed);
      // Free texts are in the part of the person whom they are about.
      const parts = registryCodec
        .subjectsOf([stored])
        .filter((subject) => !reportOfTextKey(subject)).length;
      expect(Object.values(event.data).filter((value) => value === null)).toHaveLength(parts);
      expect(Object.keys(event.data).sort()).toEqual(Object.keys(opened).sort());
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
    for (const { stored } of eventSamples) {
      expect(verifyLink(tips.get(stored.stream), stored)).toBeUndefined();
      tips.set(stored.stream, { revision: stored.revision, hash: stored.metadata.hash });
    }
  });

  it("show nothing personal in the clear", () => {
    const text = JSON.stringify(eventSamples.map(({ stored }) => stored));
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
