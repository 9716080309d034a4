import { randomBytes, randomUUID } from "node:crypto";
import { subjects } from "#contracts/sealed.ts";
import type { ActorRole, Position, Revision } from "#event-store/port.ts";

/** Who sends a command, from where, and when. Made once a request. */
export interface Caller {
  readonly actor: {
    readonly id: string;
    readonly role: ActorRole;
    /** Of an account that signed in. */
    readonly sessionId?: string;
  };
  /** Absent for the system and for samples: then nothing about a client is stored. */
  readonly client?: { readonly ip: string; readonly user_agent: string };
  readonly origin: "live" | "sample";
  readonly correlationId: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly now: string;
}

/** Who sends a command, and what makes it recognisable when it is sent again. */
export interface CommandEnvelope {
  readonly caller: Caller;
  /** Hex HMAC; see `commandId` in `vault/sealing`. */
  readonly id: string;
  /** The ids under every key that counts at the moment, oldest first; `id` alone when absent. */
  readonly ids?: readonly string[];
  /**
   * The canonical body that a retry must repeat, without passwords, codes and tokens: its MAC is in
   * the log for ever, under the account's key, where it would be a fast hash of a password.
   */
  readonly body: unknown;
}

/** Around a command that is not a retry. */
export function newEnvelope(caller: Caller): CommandEnvelope {
  return { caller, id: randomBytes(32).toString("hex"), body: {} };
}

/** The operator at work: no account, no address. */
export function systemCaller(now: string): Caller {
  const actor = { id: "system", role: "system" } as const;
  return { actor, origin: "live", correlationId: randomUUID(), now };
}

/** The aggregate's state after a command; after a retry, its state then. */
export interface Outcome<S> {
  readonly state: S;
  readonly revision: Revision;
  /** Position of the command's last event, or of the stream's, when nothing changed. */
  readonly position: Position;
  /** Whether the log holds events of the command: of now, or of the first time. */
  readonly changed: boolean;
}

/** Key under which an account's address is sealed wherever it acts; undefined for the others. */
export function ownSubject({ actor }: Caller): string | undefined {
  return actor.role === "visitor" || actor.role === "system"
    ? undefined
    : subjects.account(actor.id);
}
