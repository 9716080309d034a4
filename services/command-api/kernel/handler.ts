import { randomUUID } from "node:crypto";
import {
  ExponentialBackoff,
  fullJitterGenerator,
  halfJitterGenerator,
  handleType,
  retry,
} from "cockatiel";
import { DomainError } from "#contracts/domain-error.ts";
import type { PartName } from "#contracts/events/definition.ts";
import type { RegistryEvent } from "#contracts/events/index.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { reportOfTextKey } from "#contracts/sealed.ts";
import { chainEvents, GENESIS_HASH } from "#event-store/batch.ts";
import {
  type AppendResult,
  type EventMetadata,
  type EventStore,
  type EventToAppend,
  type ReadOptions,
  type Revision,
  RevisionConflict,
  START,
  type StoredEvent,
  StoreUnavailable,
} from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { KeyDestroyed, type KeyLookups, type RegistryCodec } from "#vault/sealing/event-codec.ts";
import type { Command, Decide, Prepare } from "./command.ts";
import { type Caller, type CommandEnvelope, macOf, type Outcome, sealClient } from "./envelope.ts";

/** Retries a batch whose outcome is unknown. */
const outages = retry(handleType(StoreUnavailable), {
  maxAttempts: 3,
  backoff: new ExponentialBackoff({ generator: halfJitterGenerator, initialDelay: 75 }),
});

/** Decides a command again after a conflict and a random delay. All delays together stay below 3.1 seconds. */
const conflicts = retry(handleType(RevisionConflict), {
  maxAttempts: 5,
  backoff: new ExponentialBackoff({ generator: fullJitterGenerator, initialDelay: 100 }),
});

/** A stream with its keys and the fold of its events. */
export interface Folded<S> {
  readonly stream: string;
  /** Subject of the key of each sealed part of its events. */
  readonly subjects?: Partial<Record<PartName, string>>;
  /** Subject of the key for the free text of an event, by a number that is unique in the stream. */
  readonly textSubject?: (n: number) => string;
  /**
   * Subjects of everyone whose data a body may contain. If one of their keys is gone, no body is compared or
   * stored.
   */
  readonly bodySubjects?: readonly string[];
  /** Subject of the key that seals the caller's address and user agent. */
  readonly clientSubject: (caller: Caller) => string;
  /** Keys that must exist before the first event. */
  readonly newSubjects?: (caller: Caller) => readonly { subject: string; owner?: string }[];
  /** A method, so that each aggregate's fold can accept only its own events. Its stream contains no others. */
  evolve(state: S | undefined, event: RegistryEvent): S;
}

/** A stream and the decider of its commands. */
export interface Aggregate<S, C extends Command, P extends Command = C> extends Folded<S> {
  /** Absent if commands are decided as sent. */
  readonly prepare?: Prepare<S, C, P>;
  readonly decide: Decide<S, P, RegistryEvent>;
}

/** The state after one event of a stream, with its metadata: who caused it, and when. */
export interface HistoryEntry<S> {
  readonly state: S;
  readonly metadata: EventMetadata;
}

/** What a command is about to append, and the revision at which it was decided. */
export interface Decided<S> {
  readonly state: S;
  readonly events: readonly RegistryEvent[];
  readonly batch: readonly EventToAppend[];
  /** Revision of the stream's last event; -1 if it has none. */
  readonly revision: Revision;
}

interface Loaded<S> {
  readonly events: readonly StoredEvent[];
  readonly keys: KeyLookups;
  readonly state: S | undefined;
}

/**
 * Runs commands: load, repeat an earlier response, prepare, decide, append at the revision; again after a conflict.
 */
export class CommandHandler {
  readonly #store: EventStore;
  readonly #keys: KeyStore;
  readonly #codec: RegistryCodec;

  constructor(deps: { store: EventStore; keys: KeyStore; codec: RegistryCodec }) {
    this.#store = deps.store;
    this.#keys = deps.keys;
    this.#codec = deps.codec;
  }

  /**
   * Runs a command.
   * @param aggregate prepares and decides again after a conflict.
   * @param options.creates skips reading the stream first, because it probably does not exist yet. It is read only
   *   if the append finds that it exists, for example because the command was accepted before.
   * @param options.expected revision that the sender has seen. Nothing is appended at a different one.
   * @param options.append appends instead of the handler; resolves to undefined if nothing is changed after all.
   * @throws {DomainError} the aggregate's refusal, with the position of the stream's last event;
   *   `idempotency_key_reused`; `conflict`; `report_deleted` if something would have to be sealed for someone who
   *   was erased.
   * @throws {StoreUnavailable}
   * @throws {KeyStoreUnavailable}
   */
  async execute<S, C extends Command, P extends Command = C>(
    aggregate: Aggregate<S, C, P>,
    command: NoInfer<C>,
    envelope: CommandEnvelope,
    options: {
      readonly creates?: boolean;
      readonly expected?: Revision | undefined;
      readonly append?: (decided: Decided<S>) => Promise<AppendResult | undefined>;
    } = {},
  ): Promise<Outcome<S | undefined>> {
    const { caller } = envelope;
    const moment = { now: caller.now, newId: randomUUID() };
    const { decide, prepare = () => command as unknown as P } = aggregate;
    const attemptOnce = async (isFirst: boolean): Promise<Outcome<S | undefined>> => {
      const blind = options.creates && isFirst;
      const nothing = { events: [], keys: new Map(), state: undefined };
      const loaded = blind ? nothing : await this.#load(aggregate, caller);
      const taken = this.#taken(loaded, aggregate, envelope);
      if (taken) return taken;
      const last = loaded.events.at(-1);
      let events: readonly RegistryEvent[];
      try {
        if (options.expected !== undefined && last && last.revision !== options.expected) {
          // Prefer the decider's error, which is more specific. Skip `prepare`, which may reserve a slug.
          decide(loaded.state, command as unknown as P, moment);
          throw new DomainError("conflict", "Someone else changed this in the meantime.");
        }
        events = decide(loaded.state, await prepare(loaded.state, command, moment), moment);
      } catch (error) {
        if (error instanceof DomainError) error.position ??= last?.position;
        throw error;
      }
      const revision = last?.revision ?? -1;
      const unchanged = { state: loaded.state, revision, position: last?.position ?? START };
      if (events.length === 0) return { ...unchanged, changed: false };
      const made = last ? loaded.keys : await this.#makeKeys(aggregate, caller);
      const { keys, textOf } = await this.#textKeys(aggregate, events, made, last);
      try {
        const batch = this.#seal(aggregate, command.type, envelope, events, keys, last, textOf);
        let state = loaded.state;
        for (const event of events) state = aggregate.evolve(state, event);
        const appended = options.append
          ? await options.append({ state: state as S, events, batch, revision })
          : await this.append(aggregate.stream, batch, revision);
        return appended
          ? { state, revision: appended.revision, position: appended.position, changed: true }
          : { ...unchanged, changed: false };
      } catch (error) {
        if (!(error instanceof KeyDestroyed)) throw error;
        // The keys were destroyed after the stream was read. By now it contains the deletion.
        if (isFirst) return attemptOnce(false);
        throw new DomainError(
          "report_deleted",
          "The personal data in this record was erased. You can only delete it.",
        );
      }
    };
    try {
      return await conflicts.execute(({ attempt }) => attemptOnce(attempt === 0));
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      throw new DomainError(
        "conflict",
        "Others are changing this record right now. Please try again.",
      );
    }
  }

  /** Seals an event as the first of a stream without reading it. Whoever appends it later chains it again. */
  async draft<S>(
    stream: Folded<S>,
    command: string,
    event: RegistryEvent,
    envelope: CommandEnvelope,
  ): Promise<readonly EventToAppend[]> {
    const keys = await this.#makeKeys(stream, envelope.caller);
    return this.#seal(stream, command, envelope, [event], keys, undefined, new Map());
  }

  /** Returns the stream's last event, still sealed; undefined if it has none. */
  async last({ stream }: Pick<Folded<unknown>, "stream">): Promise<StoredEvent | undefined> {
    const last = { direction: "backwards", limit: 1 } as const;
    for await (const event of this.#store.readStream(stream, "end", last)) return event;
    return undefined;
  }

  /** Returns the revision of the stream's last event; -1 if it has none. */
  async lastRevision(aggregate: Pick<Folded<unknown>, "stream">): Promise<number> {
    return (await this.last(aggregate))?.revision ?? -1;
  }

  /** Returns the stream's first event, still sealed; undefined if it has none. */
  first(aggregate: Pick<Folded<unknown>, "stream">): Promise<StoredEvent | undefined> {
    return this.storedAt(aggregate, 0);
  }

  /** Returns the stream's events, still sealed. */
  stored({ stream }: Pick<Folded<unknown>, "stream">): AsyncIterable<StoredEvent> {
    return this.#store.readStream(stream);
  }

  /** Like {@link stored}, newest first. */
  newestFirst({ stream }: Pick<Folded<unknown>, "stream">): AsyncIterable<StoredEvent> {
    return this.#store.readStream(stream, "end", { direction: "backwards" });
  }

  /** Returns the stream's event at a revision, still sealed; undefined if there is none. */
  async storedAt(
    { stream }: Pick<Folded<unknown>, "stream">,
    revision: number,
  ): Promise<StoredEvent | undefined> {
    for await (const event of this.#store.readStream(stream, revision, { limit: 1 })) return event;
    return undefined;
  }

  /** Returns the stream's last event of a type, still sealed; undefined if it has none. */
  async lastOf(
    { stream }: Pick<Folded<unknown>, "stream">,
    type: RegistryEvent["type"],
  ): Promise<StoredEvent | undefined> {
    for await (const event of this.newestFirst({ stream })) if (event.type === type) return event;
    return undefined;
  }

  /** Folds the decrypted stream; undefined if it has no events. */
  async load<S>(aggregate: Folded<S>): Promise<{ state: S; revision: number } | undefined> {
    const { state, events } = await this.#load(aggregate);
    const last = events.at(-1);
    return state === undefined || !last ? undefined : { state, revision: last.revision };
  }

  /** Returns the state after each event of the stream, oldest first. */
  async history<S>(aggregate: Folded<S>): Promise<readonly HistoryEntry<S>[]> {
    const { events, keys } = await this.#load(aggregate);
    let state: S | undefined;
    return events.map((event) => {
      state = aggregate.evolve(state, this.#codec.openEvent(event, keys));
      return { state, metadata: event.metadata };
    });
  }

  /** Folds only the stream's first event, so that the length of the stream does not matter. */
  async loadFirst<S>(aggregate: Folded<S>): Promise<S | undefined> {
    return (await this.#load(aggregate, undefined, { limit: 1 })).state;
  }

  /** Returns one decrypted event, however long the stream is; undefined if there is none. */
  async eventAt(stream: string, revision: number): Promise<RegistryEvent | undefined> {
    const event = await this.storedAt({ stream }, revision);
    if (!event) return undefined;
    const keys = await this.#keys.get(this.#codec.subjectsOf([event]));
    return this.#codec.openEvent(event, keys);
  }

  /** Returns the events that a command appended to a stream, still sealed; empty if there are none. */
  async appendedBy(stream: string, commandId: string): Promise<readonly StoredEvent[]> {
    const found: StoredEvent[] = [];
    for await (const event of this.newestFirst({ stream })) {
      if (event.metadata.commandId === commandId) found.unshift(event);
      // They were appended together.
      else if (found.length > 0) break;
    }
    return found;
  }

  /** Whether the command is a retry: the stream contains an event of it. */
  async isRepeat(stream: string, { id, ids = [id] }: CommandEnvelope): Promise<boolean> {
    for await (const { metadata } of this.newestFirst({ stream }))
      if (ids.includes(metadata.commandId)) return true;
    return false;
  }

  async #load<S>(
    aggregate: Folded<S>,
    caller?: Caller,
    options: ReadOptions = {},
  ): Promise<Loaded<S>> {
    const events: StoredEvent[] = [];
    const stream = this.#store.readStream(aggregate.stream, 0, options);
    for await (const event of stream) events.push(event);
    const subjects = new Set(this.#codec.subjectsOf(events));
    if (events.length > 0) {
      for (const key of this.#needed(aggregate, caller)) subjects.add(key);
    }
    const keys: KeyLookups = subjects.size > 0 ? await this.#keys.get([...subjects]) : new Map();
    let state: S | undefined;
    for (const event of events) {
      state = aggregate.evolve(state, this.#codec.openEvent(event, keys));
    }
    return { events, keys, state };
  }

  #needed<S>(aggregate: Folded<S>, caller?: Caller): string[] {
    const client = caller?.client ? [aggregate.clientSubject(caller)] : [];
    const { bodySubjects = [], subjects = {} } = aggregate;
    return [...bodySubjects, ...Object.values(subjects), ...client];
  }

  async #makeKeys<S>(aggregate: Folded<S>, caller: Caller): Promise<KeyLookups> {
    const made = await this.#keys.ensure(aggregate.newSubjects?.(caller) ?? []);
    const others = this.#needed(aggregate, caller).filter((subject) => !made.has(subject));
    if (others.length === 0) return made;
    return new Map([...made, ...(await this.#keys.get([...new Set(others)]))]);
  }

  /**
   * Gets a key for each event's free text, by its revision, or a later number if a restore left that key destroyed.
   */
  async #textKeys<S>(
    { textSubject }: Folded<S>,
    events: readonly RegistryEvent[],
    known: KeyLookups,
    last: StoredEvent | undefined,
  ): Promise<{ keys: KeyLookups; textOf: ReadonlyMap<RegistryEvent, string> }> {
    const keys = new Map(known);
    const textOf = new Map<RegistryEvent, string>();
    if (!textSubject) return { keys, textOf };
    const first = last ? last.revision + 1 : 0;
    for (const [index, event] of events.entries()) {
      if (this.#codec.textsOf(event).length === 0) continue;
      const taken = new Set(textOf.values());
      for (let n = first + index; !textOf.has(event); n += 1) {
        const subject = textSubject(n);
        if (taken.has(subject) || (last && known.has(subject))) continue;
        if (!keys.has(subject))
          for (const [name, found] of await this.#keys.ensure([{ subject }])) keys.set(name, found);
        if (keys.get(subject)?.state === "present") textOf.set(event, subject);
      }
    }
    return { keys, textOf };
  }

  /** Returns the first outcome if the stream contains an event of this command. */
  #taken<S>(
    loaded: Loaded<S>,
    aggregate: Folded<S>,
    envelope: CommandEnvelope,
  ): Outcome<S> | undefined {
    const { ids = [envelope.id] } = envelope;
    const last = loaded.events.findLast(({ metadata }) => ids.includes(metadata.commandId));
    if (!last) return undefined;
    const { bodyMac: stored } = last.metadata;
    const own = loaded.events.filter(
      ({ metadata }) => metadata.commandId === last.metadata.commandId,
    );
    const texts = this.#codec.subjectsOf(own).filter(reportOfTextKey);
    const mac = macOf(aggregate, loaded.keys, envelope, texts);
    if (mac && stored && stored !== mac) {
      throw new DomainError(
        "idempotency_key_reused",
        "This Idempotency-Key was used for another request. Send a new key for a new request.",
      );
    }
    let state: S | undefined;
    for (const event of loaded.events) {
      if (event.revision > last.revision) break;
      state = aggregate.evolve(state, this.#codec.openEvent(event, loaded.keys));
    }
    const { revision, position } = last;
    return { state: state as S, revision, position, changed: true, repeated: true };
  }

  #seal<S>(
    aggregate: Folded<S>,
    command: string,
    envelope: CommandEnvelope,
    events: readonly RegistryEvent[],
    keys: KeyLookups,
    last: StoredEvent | undefined,
    textOf: ReadonlyMap<RegistryEvent, string>,
  ): EventToAppend[] {
    const { caller } = envelope;
    const mac = macOf(aggregate, keys, envelope, [...textOf.values()]);
    let causationId = caller.correlationId;
    const drafts = events.map((event) => {
      const id = randomUUID();
      const { stream } = aggregate;
      const schemaVersion = this.#codec.versionOf(event.type);
      const client = sealClient(aggregate, caller, keys, {
        eventId: id,
        stream,
        type: event.type,
        schemaVersion,
      });
      const metadata: Omit<EventMetadata, "hash"> = {
        actor: { id: caller.actor.id, role: caller.actor.role },
        origin: caller.origin,
        ...omitUndefined({ client }),
        command,
        commandId: envelope.id,
        ...omitUndefined({ bodyMac: mac }),
        correlationId: caller.correlationId,
        causationId,
        schemaVersion,
        time: caller.now,
      };
      causationId = id;
      const subjectOf = (part: PartName) => {
        const subject = part === "text" ? textOf.get(event) : aggregate.subjects?.[part];
        if (!subject) throw new TypeError(`${stream} has no part ${part}`);
        return subject;
      };
      const data = this.#codec.sealEvent(event, { id, stream, subjectOf }, keys);
      return { id, type: event.type, data, metadata };
    });
    const first = last ? last.revision + 1 : 0;
    return chainEvents(aggregate.stream, first, last?.metadata.hash ?? GENESIS_HASH, drafts);
  }

  /** Appends a batch. A retry after an unknown outcome stores it once. @param revision of the last event, or -1. */
  append(
    stream: string,
    batch: readonly EventToAppend[],
    revision: Revision,
  ): Promise<AppendResult> {
    const expected = revision < 0 ? "no_stream" : revision;
    return outages.execute(() => this.#store.append(stream, batch, expected));
  }
}
