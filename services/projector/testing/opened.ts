import { randomBytes } from "node:crypto";
import type { RegistryEvent } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import type { EventMetadata } from "#event-store/port.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import type { OpenedEvent } from "../daemon/projection.ts";

/** A batch of the log for tests of folds. It assigns positions and times. */
export class OpenedLog {
  readonly events: OpenedEvent[] = [];
  readonly #revisions = new Map<string, number>();

  /** Adds an event to a stream at the next position. */
  add(stream: string, event: RegistryEvent, metadata: Partial<EventMetadata> = {}): this {
    const revision = (this.#revisions.get(stream) ?? -1) + 1;
    this.#revisions.set(stream, revision);
    const index = this.events.length + 1;
    this.events.push({
      event,
      stored: {
        id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
        stream,
        revision,
        position: positionAt(index),
        type: event.type,
        data: {},
        metadata: {
          actor: { id: "visitor", role: "visitor" },
          origin: "live",
          command: "Command",
          commandId: "",
          correlationId: "",
          causationId: "",
          schemaVersion: 1,
          time: timeAt(index),
          hash: "",
          ...metadata,
        },
      },
    });
    return this;
  }

  report(id: string, event: RegistryEvent, metadata?: Partial<EventMetadata>): this {
    return this.add(`report-${id}`, event, metadata);
  }

  /** Takes the events that were added since the last call. */
  take(): OpenedEvent[] {
    const { length } = this.events;
    const taken = this.events.slice(this.#taken);
    this.#taken = length;
    return taken;
  }
  #taken = 0;
}

export function positionAt(index: number): string {
  return String(index).padStart(20, "0");
}

export function timeAt(index: number): string {
  return new Date(Date.UTC(2026, 10, 21, 0, 0, index)).toISOString();
}

/** The same key for every subject. */
export function testKeys(): KeyLookups {
  const key = randomBytes(32);
  return { get: () => ({ state: "present", key }) } as unknown as KeyLookups;
}

/** The same keys, with those of the reports destroyed. */
export function withoutKeys(keys: KeyLookups, reports: readonly string[]): KeyLookups {
  const gone = new Set(reports.map(subjects.personal));
  const get = (subject: string) =>
    gone.has(subject) ? { state: "destroyed", at: timeAt(0) } : keys.get(subject);
  return { get } as unknown as KeyLookups;
}

/** The event as it reads once the key of its `personal` part is destroyed. */
export function erased<E extends RegistryEvent>(event: E): E {
  return { ...event, data: { ...event.data, personal: null } } as E;
}
