import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chainEvents, type EventInStream, eventHash, GENESIS_HASH } from "./batch.ts";
import { eventObjects, withKeysReversed } from "./contract/arbitraries.ts";
import { verifyChain } from "./contract/verify-chain.ts";
import { type EventMetadata, type EventObject, formatPosition, type StoredEvent } from "./port.ts";

const metadata: Omit<EventMetadata, "hash"> = {
  actor: { id: "5f1e0d7c-9b8a-4c3d-8e2f-1a0b9c8d7e6f", role: "admin" },
  origin: "live",
  client: { key: "account-5f1e0d7c-9b8a-4c3d-8e2f-1a0b9c8d7e6f", box: "AAECAwQF" },
  command: "ApproveReport",
  commandId: "ab".repeat(32),
  bodyMac: "cd".repeat(32),
  correlationId: "0f7b7e3a-6a51-4f0e-9c1d-2b3a4c5d6e7f",
  causationId: "1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d",
  schemaVersion: 1,
  time: "2026-11-02T10:20:30.456Z",
};

const example: EventInStream = {
  id: "7d9e8f10-1b2c-4d3e-9f4a-5b6c7d8e9f00",
  stream: "report-2c1b0a9f-8e7d-4c6b-9a5f-4e3d2c1b0a9f",
  revision: 3,
  type: "ReportApproved",
  data: { unverified: true },
  metadata,
};

const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

const withData = (data: EventObject) => ({ ...example, data, metadata: noMetadata });
const noMetadata = {} as EventInStream["metadata"];

/** The text that is hashed, written by hand around `data`. */
const canonicalText = (data: string) =>
  `{"data":${data},"id":"${example.id}","metadata":{},"previous":"${GENESIS_HASH}",` +
  `"revision":3,"stream":"${example.stream}","type":"ReportApproved"}`;

describe("eventHash", () => {
  it("is stable for stored events", () => {
    expect(eventHash(GENESIS_HASH, example)).toBe(
      "fdd15d29bcfae5294e95cc9e1d7f916e79852a4a00c35f96eb5a8b57d0c80e75",
    );
  });

  it("covers previous, id, stream, revision, type, data and metadata, and nothing else", () => {
    expect(eventHash(GENESIS_HASH, withData({}))).toBe(sha256(canonicalText("{}")));
    const stored = { ...withData({}), position: formatPosition("7"), extra: 1 };
    expect(eventHash(GENESIS_HASH, stored)).toBe(sha256(canonicalText("{}")));
  });

  it("leaves the hash itself out of the metadata", () => {
    const hashed = { ...example, metadata: { ...metadata, hash: "ef".repeat(32) } };
    expect(eventHash(GENESIS_HASH, hashed)).toBe(eventHash(GENESIS_HASH, example));
  });

  it("sorts keys by UTF-16 code units, as in RFC 8785, 3.2.3", () => {
    const data = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    const text =
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control",' +
      '"\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign",' +
      '"\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}';
    expect(eventHash(GENESIS_HASH, withData(data))).toBe(sha256(canonicalText(text)));
  });

  it("writes strings and literals as in RFC 8785, 3.2.2", () => {
    const data = {
      string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [true, false],
      numbers: [-9007199254740991, 0, 9007199254740991],
    };
    const text =
      '{"literals":[true,false],"numbers":[-9007199254740991,0,9007199254740991],' +
      '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}';
    expect(eventHash(GENESIS_HASH, withData(data))).toBe(sha256(canonicalText(text)));
  });

  it("does not depend on key order, nor on a JSON round trip", () => {
    fc.assert(
      fc.property(eventObjects, (data) => {
        const hash = eventHash(GENESIS_HASH, { ...example, data });
        const reversed = withKeysReversed({ ...example, data } as unknown as EventObject);
        expect(eventHash(GENESIS_HASH, reversed as unknown as EventInStream)).toBe(hash);
        const copy = JSON.parse(JSON.stringify({ ...example, data }));
        expect(eventHash(GENESIS_HASH, copy)).toBe(hash);
      }),
    );
  });

  it("differs when the data differs", () => {
    fc.assert(
      fc.property(eventObjects, eventObjects, (one, other) => {
        const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        const hashes = [one, other].map((data) => eventHash(GENESIS_HASH, { ...example, data }));
        expect(hashes[0] === hashes[1]).toBe(same);
      }),
    );
  });

  it.each(Object.keys(metadata) as (keyof typeof metadata)[])(
    "differs when %s is changed or left out",
    (field) => {
      const { [field]: _, ...without } = metadata;
      const hash = eventHash(GENESIS_HASH, example);
      const left = { ...example, metadata: without as EventInStream["metadata"] };
      const changed = { ...example, metadata: { ...metadata, [field]: "other" } };
      expect(eventHash(GENESIS_HASH, left)).not.toBe(hash);
      expect(eventHash(GENESIS_HASH, changed as unknown as EventInStream)).not.toBe(hash);
    },
  );

  it.each([
    { id: "7d9e8f10-1b2c-4d3e-9f4a-5b6c7d8e9f01" },
    { stream: "report-2" },
    { revision: 4 },
    { type: "ReportRejected" },
    { data: { unverified: false } },
    { data: {} },
  ] as Partial<EventInStream>[])("differs with %o", (change) => {
    const hash = eventHash(GENESIS_HASH, example);
    expect(eventHash(GENESIS_HASH, { ...example, ...change })).not.toBe(hash);
  });

  it("differs when the previous hash differs", () => {
    const hash = eventHash(GENESIS_HASH, example);
    expect(eventHash(hash, example)).not.toBe(hash);
  });
});

/** A copy with its keys sorted, for comparison. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, sorted(item)] as const);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

const STREAM = "report-1";

/** The events of a stream as read back. */
function streamOf(data: readonly EventObject[]): StoredEvent[] {
  const drafts = data.map((item, index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    type: "ThingNoted",
    data: item,
    metadata,
  }));
  return chainEvents(STREAM, 0, GENESIS_HASH, drafts).map((event, index) => ({
    ...event,
    stream: STREAM,
    revision: index,
    position: formatPosition(String(index + 1)),
  }));
}

describe("chainEvents", () => {
  it("continues the chain of an earlier batch", () => {
    const whole = streamOf([{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]);
    const [, second] = whole;
    const drafts = whole.slice(2).map(({ id, type, data }) => ({ id, type, data, metadata }));
    const rest = chainEvents(STREAM, 2, second?.metadata.hash as string, drafts);
    expect(rest.map((event) => event.metadata.hash)).toEqual(
      whole.slice(2).map((event) => event.metadata.hash),
    );
  });

  it("keeps id, type, data and metadata, and adds the hash", () => {
    const draft = { id: example.id, type: "ThingNoted", data: { n: 1 }, metadata };
    const [event] = chainEvents(STREAM, 0, GENESIS_HASH, [draft]);
    const hash = eventHash(GENESIS_HASH, { ...draft, stream: STREAM, revision: 0 });
    expect(event).toEqual({ ...draft, metadata: { ...metadata, hash } });
  });
});

describe("verifyChain", () => {
  const batch = fc.array(eventObjects, { minLength: 2, maxLength: 8 });
  const index = fc.nat();

  it("finds nothing in an unchanged stream", () => {
    fc.assert(
      fc.property(fc.array(eventObjects, { maxLength: 8 }), (data) => {
        expect(verifyChain(streamOf(data))).toBeUndefined();
      }),
    );
  });

  it("names the event whose data was changed", () => {
    fc.assert(
      fc.property(batch, index, (data, n) => {
        const events = streamOf(data);
        const at = n % events.length;
        const event = events[at] as StoredEvent;
        events[at] = { ...event, data: { ...event.data, added: "later" } };
        expect(verifyChain(events)).toMatchObject({ event: { revision: at }, fault: "wrong_hash" });
      }),
    );
  });

  it("names the event after one that was changed along with its own hash", () => {
    const events = streamOf([{ n: 0 }, { n: 1 }, { n: 2 }]);
    const [first, second] = events as [StoredEvent, StoredEvent];
    const forged = { ...second, data: { n: 100 } };
    const hash = eventHash(first.metadata.hash, forged);
    events[1] = { ...forged, metadata: { ...forged.metadata, hash } };
    expect(verifyChain(events)).toMatchObject({ event: { revision: 2 }, fault: "wrong_hash" });
  });

  it("names the event after one that is missing or duplicated", () => {
    fc.assert(
      fc.property(batch, index, (data, n) => {
        const events = streamOf(data);
        const at = n % (events.length - 1);
        const without = events.toSpliced(at, 1);
        expect(verifyChain(without)).toEqual({ event: events[at + 1], fault: "wrong_revision" });
        const twice = events.toSpliced(at, 0, events[at] as StoredEvent);
        expect(verifyChain(twice)).toEqual({ event: events[at], fault: "wrong_revision" });
      }),
    );
  });

  it("names the first of two swapped events, even with corrected revisions", () => {
    const [a, b, c] = streamOf([{ n: 0 }, { n: 1 }, { n: 2 }]) as StoredEvent[];
    const swapped = [a, c, b] as StoredEvent[];
    expect(verifyChain(swapped)).toMatchObject({ event: { id: c?.id }, fault: "wrong_revision" });
    const mended = swapped.map((event, revision) => ({ ...event, revision }));
    expect(verifyChain(mended)).toMatchObject({ event: { id: c?.id }, fault: "wrong_hash" });
  });

  it("names an event that was moved from another stream", () => {
    const moved = streamOf([{ n: 0 }]).map((event) => ({ ...event, stream: "report-2" }));
    expect(verifyChain(moved)).toMatchObject({ fault: "wrong_hash" });
  });

  it("names an event that has no canonical form, or no hash", () => {
    const [event] = streamOf([{ n: 0 }]) as [StoredEvent];
    const broken = { ...event, data: { text: "\ud800" } };
    expect(verifyChain([broken])).toMatchObject({ fault: "wrong_hash" });
    const { hash: _, ...bare } = event.metadata;
    const unhashed = { ...event, metadata: bare as EventMetadata };
    expect(verifyChain([unhashed])).toMatchObject({ fault: "wrong_hash" });
    const unhashable = { ...broken, metadata: bare as EventMetadata };
    expect(verifyChain([unhashable])).toMatchObject({ fault: "wrong_hash" });
  });
});
