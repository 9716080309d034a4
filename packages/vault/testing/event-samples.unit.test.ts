import { describe, expect, it } from "vitest";
import type { ReportEvent, UserEvent } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import { reportOfTextKey } from "#contracts/sealed.ts";
import type { KeyLookup } from "../keys/key-store.ts";
import { registryCodec } from "../sealing/event-codec.ts";
import { eventSamples, sampleKeys, TYPED } from "./event-samples.ts";

const destroyed = new Map<string, KeyLookup>(
  [...sampleKeys.keys()].map((key) => [key, { state: "destroyed", at: "2026-11-22" }]),
);

describe("the sample events", () => {
  it("open to what was sealed", () => {
    for (const { stored, opened } of eventSamples) {
      expect(registryCodec.openEvent(stored, sampleKeys).data).toEqual(opened);
    }
  });

  it("open with every part null once the keys are destroyed, and still fold", () => {
    let state: ReportState | undefined;
    let account: AccountState | undefined;
    for (const { stored, opened } of eventSamples) {
      const event = registryCodec.openEvent(stored, destroyed);
      // Free texts are in the part of the person they are about.
      const parts = registryCodec
        .subjectsOf([stored])
        .filter((subject) => !reportOfTextKey(subject)).length;
      expect(Object.values(event.data).filter((value) => value === null)).toHaveLength(parts);
      expect(Object.keys(event.data).sort()).toEqual(Object.keys(opened).sort());
      if (stored.stream.startsWith("report-")) state = evolveReport(state, event as ReportEvent);
      if (stored.stream.startsWith("user-")) account = evolveAccount(account, event as UserEvent);
    }
    expect(account).toMatchObject({ profile: null });
    expect(state).toMatchObject({ status: "deleted", personal: null, reporter: null, slug: null });
  });

  it("have no clear field for what someone types", () => {
    // Versions, and names of fields and calls: the registry chooses them.
    const chosen = ["terms_version", "fields", "cleared", "method", "route", "code"];
    for (const { stored } of eventSamples) {
      const others = Object.entries(stored.data).filter(([name]) => !chosen.includes(name));
      expect(JSON.stringify(others), stored.type).not.toContain(TYPED);
    }
    expect(JSON.stringify(eventSamples.map(({ opened }) => opened))).toContain(TYPED);
  });
});
