import { randomBytes, randomUUID } from "node:crypto";
import { subjects } from "#contracts/sealed.ts";
import type { ActorRole, Position, Revision } from "#event-store/port.ts";
import { type KeyLookups, KeyMissing } from "#vault/sealing/event-codec.ts";
import { bodyMac } from "#vault/sealing/hashes.ts";
import { seal } from "#vault/sealing/seal.ts";
import type { Folded } from "./handler.ts";

/** Who sends a command, from where, and when. Created once per request. */
export interface Caller {
  readonly actor: {
    readonly id: string;
    readonly role: ActorRole;
    readonly sessionId?: string;
  };
  /** Absent for the system and for samples, so that nothing about a client is stored. */
  readonly client?: { readonly ip: string; readonly user_agent: string };
  readonly origin: "live" | "sample";
  readonly correlationId: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly now: string;
}

/** Who sends a command, and what identifies a retry. */
export interface CommandEnvelope {
  readonly caller: Caller;
  /** HMAC (hex); see `commandId` in `vault/sealing`. */
  readonly id: string;
  /** The IDs with all keys that are valid now, oldest first; only `id` if absent. */
  readonly ids?: readonly string[];
  /** The body that a retry must repeat, without secrets, because its fast MAC stays in the log forever. */
  readonly body: unknown;
}

/** The envelope of a command that is not a retry. */
export function newEnvelope(caller: Caller): CommandEnvelope {
  return { caller, id: randomBytes(32).toString("hex"), body: {} };
}

/** The operator, without an account or client address. */
export function systemCaller(now: string): Caller {
  const actor = { id: "system", role: "system" } as const;
  return { actor, origin: "live", correlationId: randomUUID(), now };
}

/** The aggregate's state after a command. A retry gets the state after the original command. */
export interface Outcome<S> {
  readonly state: S;
  readonly revision: Revision;
  /** Position of the command's last event, or of the stream's last event if nothing changed. */
  readonly position: Position;
  /** Whether the log contains events of the command, from now or from the first time. */
  readonly changed: boolean;
  /** Set for a retry of a command that had already been accepted. */
  readonly repeated?: true;
}

/** Subject of the key that seals an account's client data wherever it acts; undefined for other callers. */
export function ownSubject({ actor }: Caller): string | undefined {
  return actor.role === "visitor" || actor.role === "system"
    ? undefined
    : subjects.account(actor.id);
}

/**
 * MAC of a body; undefined without a key or subject.
 * @param texts subjects of the keys that seal the free text of its events.
 */
export function macOf<S>(
  { bodySubjects = [] }: Folded<S>,
  keys: KeyLookups,
  { body }: CommandEnvelope,
  texts: readonly string[],
): string | undefined {
  const present: Buffer[] = [];
  const subjects = [...bodySubjects, ...texts];
  for (const subject of subjects) {
    const found = keys.get(subject);
    if (found?.state === "present") present.push(found.key);
  }
  const whole = bodySubjects.length > 0 && present.length === subjects.length;
  return whole ? bodyMac(present, body) : undefined;
}

/** Seals the address and user agent; undefined if their key has been destroyed since. */
export function sealClient<S>(
  aggregate: Folded<S>,
  caller: Caller,
  keys: KeyLookups,
  place: { eventId: string; stream: string; type: string; schemaVersion: number },
) {
  if (!caller.client) return undefined;
  const subject = aggregate.clientSubject(caller);
  const key = keys.get(subject);
  if (key?.state === "destroyed") return undefined;
  if (key?.state !== "present") throw new KeyMissing(subject);
  const { ip, user_agent } = caller.client;
  return seal(key.key, { ip, user_agent }, { ...place, part: "client", key: subject });
}
