/** One sealed event of each type, generated from its schemas, with the keys that open them. For tests. */

import { randomBytes, randomUUID } from "node:crypto";
import type { TSchema } from "typebox";
import { Check } from "typebox/value";
import type { EventDefinition } from "#contracts/events/definition.ts";
import {
  eventDefinitions,
  type RegistryEvent,
  reportEvents,
  streams,
  userEvents,
} from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import type { KeyLookup } from "../keys/key-store.ts";
import { registryCodec } from "../sealing/event-codec.ts";

const id = randomUUID();
/** A text that a person typed. No code, ID or date looks like it. */
export const TYPED = "Zoë's canary 😀";
/** A text for each format that events have; the first that fits is used. */
const TEXTS = [
  TYPED,
  id,
  "2026-11-21",
  "2026-11-21T10:00:00.000Z",
  "2026-11-21T10:00:00Z",
  "02:00",
  "zoe-ames",
  "code",
  "image/png",
  "0f".repeat(32),
  `mail-${id}`,
  `text-${id}-0`,
];

interface Described {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly minimum?: number;
}

/** Returns a value that the schema allows, with everything that is optional. */
function sampleOf(schema: TSchema): unknown {
  const {
    const: only,
    enum: all,
    anyOf,
    type,
    properties = {},
    items,
    minimum,
  }: Described = schema;
  if (only !== undefined) return only;
  if (all) return all[0];
  if (anyOf?.[0]) return sampleOf(anyOf[0]);
  if (items) return [sampleOf(items)];
  if (type === "object")
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, sampleOf(property)]),
    );
  const found = [...TEXTS, minimum ?? 1, true, null].find((value) => Check(schema, value));
  if (found === undefined) throw new Error(`no sample fits ${JSON.stringify(schema)}`);
  return found;
}

const subjectOf: Record<string, string> = {
  personal: subjects.personal(id),
  reporter: subjects.reporter(id),
  text: subjects.text(id, 0),
  account: subjects.account(id),
  security: subjects.security("2026-11"),
  sender: subjects.inquiry(id),
  note: subjects.inquiry(id),
  decision: subjects.inquiry(id),
  content: subjects.content(id),
  template: subjects.template("approved"),
};
/** The keys of every sealed part. */
export const sampleKeys: ReadonlyMap<string, KeyLookup> = new Map<string, KeyLookup>(
  Object.values(subjectOf).map((subject) => [subject, { state: "present", key: randomBytes(32) }]),
);

function streamOf(type: string): string {
  if (reportEvents.some((event) => event.type === type)) return streams.report(id);
  return userEvents.some((event) => event.type === type) ? streams.user(id) : `other-${id}`;
}

export type EventSample = ReturnType<typeof sealed>;

function sealed({ type, clear, parts }: EventDefinition) {
  const stream = streamOf(type);
  const opened = {
    ...(sampleOf(clear) as object),
    ...Object.fromEntries(Object.entries(parts).map(([part, schema]) => [part, sampleOf(schema)])),
  } as Readonly<Record<string, unknown>>;
  const event = { type, data: opened } as unknown as RegistryEvent;
  const target = { id, stream, subjectOf: (part: string) => subjectOf[part] as string };
  const data = registryCodec.sealEvent(event, target, sampleKeys);
  const metadata = { schemaVersion: registryCodec.versionOf(event.type) };
  return { stored: { id, stream, type, data, metadata }, opened };
}

/** Every sample, in the order of the definitions. */
export const eventSamples: readonly EventSample[] = eventDefinitions.map(sealed);
