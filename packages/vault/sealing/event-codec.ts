import { createHmac } from "node:crypto";
import { type TObject, Type } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import {
  type EventDefinition,
  type OpenEvent,
  type OpenFields,
  type PartName,
  TEXT_PARTS,
  type TextOwner,
  type Upcaster,
} from "#contracts/events/definition.ts";
import { eventDefinitions } from "#contracts/events/index.ts";
import { MASKED_TEXT } from "#contracts/events/report/report-texts.ts";
import { Sealed } from "#contracts/sealed.ts";
import { assertEventJson } from "#event-store/batch.ts";
import {
  type EventMetadata,
  type EventObject,
  InvalidBatch,
  type StoredEvent,
} from "#event-store/port.ts";
import type { KeyLookup } from "../keys/key-store.ts";
import { open, SealBroken, seal } from "./seal.ts";

/** Keys as `KeyStore.get` returns them. */
export type KeyLookups = ReadonlyMap<string, KeyLookup>;

/** The part of a stored event that the codec needs. */
export type SealedEvent = Pick<StoredEvent, "id" | "stream" | "type" | "data"> & {
  readonly metadata: Pick<EventMetadata, "schemaVersion" | "client">;
};

/** Where an event will be stored. */
interface SealTarget {
  /** ID of the event, fixed before it is sealed. */
  readonly id: string;
  readonly stream: string;
  /** Name of the key that seals a part. */
  subjectOf(part: PartName): string;
}

/** The type, version or sealing format is unknown here: a newer version of the software appended the event. */
export class UnknownEvent extends Error {
  override readonly name = "UnknownEvent";
}

/** A key that should exist is missing. This is an alarm, never a reason to continue without the data. */
export class KeyMissing extends Error {
  override readonly name = "KeyMissing";
  readonly subject: string;
  constructor(subject: string) {
    super(`the key ${subject} is missing`);
    this.subject = subject;
  }
}

/** Something would be sealed with a destroyed key, whose subject was erased. */
export class KeyDestroyed extends Error {
  override readonly name = "KeyDestroyed";
  readonly subject: string;
  constructor(subject: string) {
    super(`the key ${subject} was destroyed`);
    this.subject = subject;
  }
}

/** An event does not match its own definition. This is a programming error, and nothing was sealed. */
export class InvalidEvent extends Error {
  override readonly name = "InvalidEvent";
}

interface EventCodec<D extends EventDefinition> {
  /** Version with which events of this type are appended. */
  versionOf(type: string): number;
  /**
   * Checks an event and seals its parts.
   * @throws {InvalidEvent}
   * @throws {KeyMissing}
   * @throws {KeyDestroyed}
   */
  sealEvent(event: OpenEvent<D>, target: SealTarget, keys: KeyLookups): EventObject;
  /**
   * Opens an event; parts whose key was destroyed are null.
   * @throws {UnknownEvent}
   * @throws {KeyMissing}
   * @throws {SealBroken}
   */
  openEvent(stored: SealedEvent, keys: KeyLookups): OpenEvent<D>;
  /** Returns the event's free texts. If there are any, they need a key of their own. */
  textsOf(event: OpenEvent<D>): readonly string[];
  /** Returns the names of the keys that open these events' data, without duplicates. */
  subjectsOf(stored: Iterable<SealedEvent>): string[];
}

/** A definition with its validators, compiled on first use. */
class Codable {
  readonly definition: EventDefinition;
  readonly parts: readonly PartName[];
  /** The parts, and the free texts that are sealed separately. */
  readonly sealed: readonly PartName[];
  #validators: Map<string, Validator> | undefined;

  constructor(definition: EventDefinition) {
    this.definition = definition;
    this.parts = Object.keys(definition.parts) as PartName[];
    this.sealed = [...this.parts, ...this.textOwners.map((part) => TEXT_PARTS[part])];
    for (const part of this.parts)
      if (part in definition.clear.properties)
        throw new TypeError(`${definition.type} has a clear field and a part ${part}`);
  }

  /** The parts that may hold free texts. */
  get textOwners(): readonly TextOwner[] {
    return Object.keys(this.definition.texts ?? {}) as TextOwner[];
  }

  /** @throws {InvalidEvent} */
  check(name: PartName | "clear", value: unknown): void {
    this.#validators ??= new Map(
      [["clear", this.definition.clear] as const, ...Object.entries(this.definition.parts)].map(
        ([key, schema]) => [key, Compile(schema as TObject)],
      ),
    );
    const validator = this.#validators.get(name) as Validator;
    if (validator.Check(value)) return;
    const places = validator
      .Errors(value)
      .map((error) => `${name}${error.instancePath}: ${error.message}`);
    throw this.#invalid(places.join("; "));
  }

  /**
   * Returns the value as JSON that the store accepts, checked before it is sealed.
   * @throws {InvalidEvent}
   */
  asJson(part: PartName, value: unknown): EventObject {
    const json = plain(value);
    try {
      assertEventJson(json, part);
    } catch (error) {
      if (error instanceof InvalidBatch) throw this.#invalid(error.message);
      throw error;
    }
    return json;
  }

  /** @throws {InvalidEvent} if a required field or part is missing. */
  checkWhole(data: OpenFields): void {
    const { required = [], oneOf } = this.definition;
    for (const part of required)
      if (data[part] === undefined) throw this.#invalid(`${part} is missing`);
    if (oneOf?.every((name) => data[name] === undefined))
      throw this.#invalid(`one of ${oneOf.join(", ")} is required`);
  }

  /** Returns the free texts of an open part, in a fixed order. */
  texts(owner: TextOwner, part: unknown): string[] {
    const texts: string[] = [];
    if (part)
      this.definition.texts?.[owner]?.(part as OpenFields, (text) => {
        texts.push(text);
        return text;
      });
    return texts;
  }

  /** Returns the part with other free texts, in the order of {@link texts}. */
  withTexts(owner: TextOwner, part: unknown, texts: readonly string[]): OpenFields {
    let index = 0;
    const next = (text: string) => texts[index++] ?? text;
    return this.definition.texts?.[owner]?.(part as OpenFields, next) ?? (part as OpenFields);
  }

  #invalid(why: string): InvalidEvent {
    return new InvalidEvent(`${this.definition.type} is invalid: ${why}`);
  }
}

/** Puts the free texts back where they belong. Without their key they stay masked, and the event is marked so. */
function withOwnTexts(codable: Codable, opened: Record<string, unknown>): OpenFields {
  for (const owner of codable.textOwners) {
    const text = opened[TEXT_PARTS[owner]] as { texts: readonly string[] } | null | undefined;
    delete opened[TEXT_PARTS[owner]];
    const part = opened[owner];
    if (!part) continue;
    if (text) opened[owner] = codable.withTexts(owner, part, text.texts);
    else if (text === null) opened.masked = true;
  }
  return opened;
}

function isSealed(value: unknown): value is Sealed {
  return SEALED.Check(value);
}
const SEALED = Compile(Sealed);
const SEALED_WITH_MORE = Compile(Type.Object(Sealed.properties));

/**
 * @throws {UnknownEvent} if it is sealed in a newer format.
 * @throws {SealBroken} if it is not sealed.
 */
function assertSealed(value: unknown, what: string): asserts value is Sealed {
  if (isSealed(value)) return;
  if (SEALED_WITH_MORE.Check(value)) throw new UnknownEvent(`${what} is sealed in a newer way`);
  throw new SealBroken(`${what} is not sealed`);
}

/** Returns a copy as plain JSON: without undefined fields, as it will be read back. */
function plain(value: unknown): EventObject {
  return JSON.parse(JSON.stringify(value)) as EventObject;
}

/** @throws {KeyMissing} */
function lookup(keys: KeyLookups, subject: string): Buffer | null {
  const found = keys.get(subject);
  if (found?.state === "present") return found.key;
  if (found?.state === "destroyed") return null;
  throw new KeyMissing(subject);
}

/**
 * Returns the key of free texts. It needs their own key and their part's, so destroying either erases them. Null
 * once one is destroyed.
 */
function textKey(keys: KeyLookups, text: string, owner: string): Buffer | null {
  const [own, key] = [lookup(keys, text), lookup(keys, owner)];
  return own && key && createHmac("sha256", key).update(own).digest();
}

/**
 * Opens the network address and user agent of an event's actor.
 * @returns null once the key is destroyed, undefined if the event has none.
 * @throws {UnknownEvent}
 * @throws {KeyMissing}
 * @throws {SealBroken}
 */
export function openClient(stored: SealedEvent, keys: KeyLookups): EventObject | null | undefined {
  const { client, schemaVersion } = stored.metadata;
  if (client === undefined) return undefined;
  assertSealed(client, `the client of ${stored.id}`);
  const key = lookup(keys, client.key);
  if (key === null) return null;
  const { id, stream, type } = stored;
  return open(key, client, { eventId: id, stream, type, schemaVersion, part: "client" });
}

/**
 * Creates a codec that seals and opens events by their definitions.
 * @param definitions the newest version of each type.
 * @param upcasters one for each earlier version that may be in a log.
 * @throws {TypeError} for two definitions of one version, or an earlier version without an upcaster.
 */
export function createEventCodec<const D extends EventDefinition>(
  definitions: readonly D[],
  upcasters: readonly Upcaster[] = [],
): EventCodec<D> {
  const newest = new Map<string, Codable>();
  for (const definition of definitions) {
    if (newest.has(definition.type)) throw new TypeError(`${definition.type} is defined twice`);
    newest.set(definition.type, new Codable(definition));
  }
  const former = new Map<string, { codable: Codable; upcaster: Upcaster }>();
  const at = (type: string, version: number) => `${type}@${version}`;
  for (const upcaster of upcasters) {
    const { type, version } = upcaster.from;
    if (former.has(at(type, version)) || version >= (newest.get(type)?.definition.version ?? 0))
      throw new TypeError(`${type} ${version} is not an earlier version, or has two upcasters`);
    former.set(at(type, version), { codable: new Codable(upcaster.from), upcaster });
  }
  for (const { upcaster } of former.values()) {
    const { type, version } = upcaster.from;
    const last = newest.get(type)?.definition.version ?? 0;
    for (let step = version; step < last; step += 1)
      if (!former.has(at(type, step))) throw new TypeError(`${type} ${step} has no upcaster`);
  }

  function find(type: string, version: number): Codable | undefined {
    const current = newest.get(type);
    if (current?.definition.version === version) return current;
    return former.get(at(type, version))?.codable;
  }

  function current(type: string): Codable {
    const codable = newest.get(type);
    if (!codable) throw new UnknownEvent(`no event is called ${type}`);
    return codable;
  }

  return {
    versionOf: (type) => current(type).definition.version,

    sealEvent(event, target, keys) {
      const codable = current(event.type);
      const { type, version: schemaVersion } = codable.definition;
      const clear: Record<string, unknown> = { ...(event.data as OpenFields) };
      codable.checkWhole(clear);
      const sealed: EventObject = {};
      const { id: eventId, stream } = target;
      const sealPart = (part: PartName, value: unknown, subject: string, key: Buffer | null) => {
        if (key === null) throw new KeyDestroyed(subject);
        const context = { eventId, stream, type, schemaVersion, part, key: subject };
        sealed[part] = seal(key, codable.asJson(part, value), context);
      };
      for (const part of codable.parts) {
        const value = clear[part];
        if (value === undefined) continue;
        delete clear[part];
        codable.check(part, value);
        const subject = target.subjectOf(part);
        const key = lookup(keys, subject);
        const owner = part as TextOwner;
        const texts = codable.texts(owner, value);
        if (texts.length === 0) {
          sealPart(part, value, subject, key);
          continue;
        }
        // Opened alone, the rest of the part reads as masked.
        const masked = texts.map(() => MASKED_TEXT);
        sealPart(part, codable.withTexts(owner, value, masked), subject, key);
        const own = target.subjectOf("text");
        sealPart(TEXT_PARTS[owner], { texts }, own, textKey(keys, own, subject));
      }
      codable.check("clear", clear);
      return { ...plain(clear), ...sealed };
    },

    openEvent(stored, keys) {
      const { id: eventId, stream, type } = stored;
      const { schemaVersion } = stored.metadata;
      const codable = find(type, schemaVersion);
      if (!codable) throw new UnknownEvent(`no event is called ${type}, version ${schemaVersion}`);
      let data: OpenFields = stored.data;
      if (codable.parts.length > 0) {
        const opened: Record<string, unknown> = { ...stored.data };
        for (const part of codable.sealed) {
          const value = stored.data[part];
          if (value === undefined) continue;
          assertSealed(value, `${part} of ${eventId}`);
          const holder = codable.textOwners.find((owner) => TEXT_PARTS[owner] === part);
          const held = holder && stored.data[holder];
          const key = isSealed(held) ? textKey(keys, value.key, held.key) : lookup(keys, value.key);
          opened[part] =
            key === null ? null : open(key, value, { eventId, stream, type, schemaVersion, part });
        }
        data = withOwnTexts(codable, opened);
      }
      // Every earlier version has an upcaster, as checked above.
      let version = schemaVersion;
      for (let step = former.get(at(type, version)); step; step = former.get(at(type, version))) {
        data = step.upcaster.upcast(data);
        version += 1;
      }
      return { type, data } as OpenEvent<D>;
    },

    textsOf(event) {
      const codable = current(event.type);
      return codable.textOwners.flatMap((owner) =>
        codable.texts(owner, (event.data as OpenFields)[owner]),
      );
    },

    subjectsOf(stored) {
      const subjects = new Set<string>();
      for (const { type, data, metadata } of stored)
        for (const part of find(type, metadata.schemaVersion)?.sealed ?? []) {
          const value = data[part];
          if (isSealed(value)) subjects.add(value.key);
        }
      return [...subjects];
    },
  };
}

/** Seals and opens every event of the registry. */
export type RegistryCodec = EventCodec<(typeof eventDefinitions)[number]>;

/** The only codec, so that every service upcasts earlier versions in the same way. */
export const registryCodec: RegistryCodec = createEventCodec(eventDefinitions);
