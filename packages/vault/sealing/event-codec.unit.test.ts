import { randomBytes } from "node:crypto";
import { type TProperties, Type } from "typebox";
import { describe, expect, it } from "vitest";
import { defineEvent, type Upcaster } from "#contracts/events/definition.ts";
import { eventDefinitions } from "#contracts/events/index.ts";
import type { EventObject } from "#event-store/port.ts";
import type { KeyLookup } from "../keys/key-store.ts";
import {
  createEventCodec,
  InvalidEvent,
  KeyDestroyed,
  KeyMissing,
  openClient,
  type SealedEvent,
  UnknownEvent,
} from "./event-codec.ts";
import { SealBroken, seal } from "./seal.ts";

const strict = { additionalProperties: false };
const strictObject = (properties: TProperties) => Type.Object(properties, strict);
const Told = defineEvent("Told", 2, Type.Object({ code: Type.String() }, strict), {
  personal: Type.Object(
    { name: Type.String({ maxLength: 20 }), note: Type.Optional(Type.String()) },
    strict,
  ),
  reporter: Type.Object({ email: Type.String() }, strict),
});
const Plain = defineEvent("Plain", 1, Type.Object({ n: Type.Integer() }, strict), {});
/** Version 1 stored the name in two fields, and the code as a number. */
const ToldBefore: Upcaster = {
  from: defineEvent("Told", 1, Type.Object({ number: Type.Integer() }, strict), {
    personal: Type.Object({ first: Type.String(), last: Type.String() }, strict),
  }),
  upcast({ number, personal, ...rest }) {
    const names = personal as { first: string; last: string } | null;
    return {
      ...rest,
      code: String(number),
      personal: names && { name: `${names.first} ${names.last}` },
    };
  },
};
const codec = createEventCodec([Told, Plain], [ToldBefore]);

const id = "6f1c2d34-0000-4000-8000-000000000001";
const target = { id, stream: "told-1", subjectOf: (part: string) => `${part}-1` };
const [personalKey, reporterKey] = [randomBytes(32), randomBytes(32)];
const present = (key: Buffer): KeyLookup => ({ state: "present", key });
const destroyed: KeyLookup = { state: "destroyed", at: "2026-11-02T10:20:30.456Z" };
const keys = new Map([
  ["personal-1", present(personalKey)],
  ["reporter-1", present(reporterKey)],
]);

const told = {
  type: "Told",
  data: { code: "x", personal: { name: "Dana" }, reporter: { email: "r@example.com" } },
} as const;
const stored = (data = codec.sealEvent(told, target, keys), schemaVersion = 2): SealedEvent => ({
  id,
  stream: "told-1",
  type: "Told",
  data,
  metadata: { schemaVersion },
});

describe("the event codec", () => {
  it("opens what it sealed, and stores no part in the clear", () => {
    const event = stored();
    expect(event.data).toMatchObject({ code: "x", personal: { key: "personal-1" } });
    expect(JSON.stringify(event)).not.toMatch(/Dana|example/);
    expect(codec.openEvent(event, keys)).toEqual(told);
  });

  it("omits absent parts and undefined fields", () => {
    const event = {
      type: "Told",
      data: { code: "x", personal: { name: "Dana", note: undefined as never } },
    } as const;
    const data = codec.sealEvent(event, target, keys);
    expect(Object.keys(data)).toEqual(["code", "personal"]);
    expect(codec.openEvent(stored(data), keys)).toEqual({
      type: "Told",
      data: { code: "x", personal: { name: "Dana" } },
    });
  });

  it("returns null for a part whose key was destroyed, and the rest unchanged", () => {
    const left = new Map([...keys, ["personal-1", destroyed] as const]);
    expect(codec.openEvent(stored(), left)).toEqual({
      type: "Told",
      data: { code: "x", personal: null, reporter: { email: "r@example.com" } },
    });
  });

  it("throws for a missing key, whether recorded as missing or not looked up", () => {
    const missing = new Map([...keys, ["personal-1", { state: "missing" } as const] as const]);
    expect(() => codec.openEvent(stored(), missing)).toThrow(KeyMissing);
    expect(() => codec.openEvent(stored(), new Map())).toThrow(KeyMissing);
  });

  it("does not open a part in another event, stream, type, version or place", () => {
    const event = stored();
    const swapped = { ...event.data, reporter: event.data.personal as never };
    for (const moved of [
      { ...event, id: "6f1c2d34-0000-4000-8000-000000000002" },
      { ...event, stream: "told-2" },
      { ...event, metadata: { schemaVersion: 1 } },
      { ...event, data: swapped },
      { ...event, data: { ...event.data, personal: { name: "Mallory" } } },
    ])
      expect(() => codec.openEvent(moved, keys)).toThrow(SealBroken);
  });

  it("seals nothing that does not match its definition, and repeats no value", () => {
    for (const data of [
      { code: 1 },
      { code: "x", secret: "Dana" },
      { code: "x", personal: null },
      { code: "x", personal: { name: "Dana".repeat(10) } },
      { code: "x", personal: { name: "Dana", more: 1 } },
    ])
      expect(() => codec.sealEvent({ type: "Told", data } as never, target, keys)).toThrow(
        expect.objectContaining({
          name: InvalidEvent.name,
          message: expect.not.stringContaining("Dana"),
        }),
      );
  });

  it("seals no event without its required fields", () => {
    const why = strictObject({ reason: Type.String() });
    const Refused = defineEvent(
      "Refused",
      1,
      Type.Object({ code: Type.Optional(Type.String()) }, strict),
      { personal: why, reporter: why },
      { required: ["reporter"], oneOf: ["code", "personal"] },
    );
    const { sealEvent } = createEventCodec([Refused]);
    const part = { reason: "r" };
    const refusal = (data: object) => () =>
      sealEvent({ type: "Refused", data } as never, target, keys);
    expect(refusal({ code: "x" })).toThrow("reporter is missing");
    expect(refusal({ reporter: part })).toThrow("one of code, personal is required");
    for (const data of [{ code: "x" }, { personal: part }])
      expect(refusal({ ...data, reporter: part })).not.toThrow();
  });

  it.each([
    ["NUL", "a\0b"],
    ["a lone surrogate", "\ud800"],
    ["a fraction", 0.5],
    ["null", null],
  ])("seals no %s, and does not repeat it", (_what, value) => {
    const Loose = defineEvent("Loose", 1, Type.Object({}, strict), { personal: Type.Object({}) });
    const { sealEvent } = createEventCodec([Loose]);
    const data = { personal: { list: [{ value }] } };
    expect(() => sealEvent({ type: "Loose", data }, target, keys)).toThrow(
      expect.objectContaining({
        name: InvalidEvent.name,
        message: expect.stringContaining("personal.list[0].value"),
      }),
    );
  });

  it("stops at a newer sealing format, and does not treat it as damage", () => {
    const newer = { key: "personal-1", box: "AAAA", algorithm: "next" };
    const event = stored();
    expect(() =>
      codec.openEvent({ ...event, data: { ...event.data, personal: newer } }, keys),
    ).toThrow(UnknownEvent);
    expect(() =>
      openClient({ ...event, metadata: { schemaVersion: 2, client: newer } }, keys),
    ).toThrow(UnknownEvent);
    for (const damaged of [
      { key: "personal-1" },
      { box: "AAAA" },
      { ...newer, key: 1 },
    ] as EventObject[])
      expect(() =>
        openClient({ ...event, metadata: { schemaVersion: 2, client: damaged } }, keys),
      ).toThrow(SealBroken);
  });

  it("seals nothing under a key that is missing or destroyed", () => {
    expect(() => codec.sealEvent(told, target, new Map())).toThrow(KeyMissing);
    const left = new Map([...keys, ["reporter-1", destroyed] as const]);
    expect(() => codec.sealEvent(told, target, left)).toThrow(KeyDestroyed);
  });

  it("rejects unknown types and versions", () => {
    expect(() => codec.openEvent({ ...stored(), type: "Other" }, keys)).toThrow(UnknownEvent);
    expect(() => codec.openEvent(stored(undefined, 3), keys)).toThrow(UnknownEvent);
    expect(() => codec.sealEvent({ type: "Other", data: {} } as never, target, keys)).toThrow(
      UnknownEvent,
    );
  });

  it("upcasts an earlier version, with its part opened and with its key destroyed", () => {
    const context = { eventId: id, stream: "told-1", type: "Told", schemaVersion: 1 };
    const names = { first: "Dana", last: "Ruiz" };
    const personal = seal(personalKey, names, { ...context, part: "personal", key: "personal-1" });
    const event = stored({ number: 7, personal }, 1);
    expect(codec.openEvent(event, keys).data).toEqual({
      code: "7",
      personal: { name: "Dana Ruiz" },
    });
    expect(codec.openEvent(event, new Map([["personal-1", destroyed]])).data).toEqual({
      code: "7",
      personal: null,
    });
  });

  it("names each key once, and none for events without parts or of unknown type", () => {
    const plain = { ...stored({ n: 1 }, 1), type: "Plain" };
    const events = [stored(), stored(), plain, { ...stored(), type: "Other" }];
    expect(codec.subjectsOf(events)).toEqual(["personal-1", "reporter-1"]);
  });

  it("opens an actor's client the same way", () => {
    const context = { eventId: id, stream: "told-1", type: "Told", schemaVersion: 2 };
    const client = seal(
      reporterKey,
      { ip: "192.0.2.1" },
      { ...context, part: "client", key: "reporter-1" },
    );
    const event = { ...stored(), metadata: { schemaVersion: 2, client: { ...client } } };
    expect(openClient(event, keys)).toEqual({ ip: "192.0.2.1" });
    expect(openClient(event, new Map([["reporter-1", destroyed]]))).toBeNull();
    expect(openClient(stored(), keys)).toBeUndefined();
    expect(() => openClient(event, new Map())).toThrow(KeyMissing);
    expect(() => openClient({ ...event, stream: "told-2" }, keys)).toThrow(SealBroken);
  });

  it("rejects invalid definitions", () => {
    const third = defineEvent("Told", 3, Told.clear, Told.parts);
    const overlapping = defineEvent("Odd", 1, Type.Object({ personal: Type.String() }), {
      personal: Told.parts.personal,
    });
    expect(() => createEventCodec([Plain, Plain])).toThrow(TypeError);
    expect(() => createEventCodec([third], [ToldBefore])).toThrow(/Told 2 has no upcaster/);
    expect(() => createEventCodec([Told], [ToldBefore, ToldBefore])).toThrow(TypeError);
    expect(() => createEventCodec([Plain], [ToldBefore])).toThrow(TypeError);
    expect(() => createEventCodec([overlapping])).toThrow(TypeError);
  });

  it("requires of the registry's events what their readers rely on", () => {
    const registry = createEventCodec(eventDefinitions);
    const refusal = (type: string, data: object) => () =>
      registry.sealEvent({ type, data } as never, target, keys);
    const submitted = { report_type: "chargeback", report: {}, terms_version: "1" };
    expect(refusal("ReportSubmitted", submitted)).toThrow("personal is missing");
    expect(refusal("ReportSubmitted", { ...submitted, personal: {} })).toThrow(
      "reporter is missing",
    );
    expect(refusal("AccountAdded", { role: "user" })).toThrow("account is missing");
    expect(refusal("SignInFailed", { cause: "banned" })).toThrow("security is missing");
    const rejected = { from: "pending", verified: true };
    expect(refusal("ReportRejected", rejected)).toThrow("one of reason_code, personal");
    expect(refusal("ReportRejected", { ...rejected, reason_code: "no_evidence" })).not.toThrow();
    expect(refusal("ReportRejected", { ...rejected, reason_code: "No Evidence" })).toThrow(
      InvalidEvent,
    );
  });

  it("accepts the registry's own definitions", () => {
    const registry = createEventCodec(eventDefinitions);
    for (const { type, version } of eventDefinitions)
      expect(registry.versionOf(type)).toBe(version);
  });
});
