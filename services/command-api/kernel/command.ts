import type { OneTimeLink } from "#contracts/events/one-time-link.ts";

/** A command is data. The log stores its type. */
export interface Command {
  readonly type: string;
}

/** Time and ID for a command, so that deciding uses neither a clock nor random values. */
export interface Moment {
  /** RFC 3339, UTC, milliseconds. */
  readonly now: string;
  /** UUID for the one thing that the command may create. */
  readonly newId: string;
}

/** Creates a link that is valid from now for this long. */
export function linkFrom({ now, newId }: Moment, livesMs: number): OneTimeLink {
  return { link_id: newId, expires_at: new Date(Date.parse(now) + livesMs).toISOString() };
}

/** Decides what happens, or refuses with a `DomainError`. Pure. */
export type Decide<S, C extends Command, E> = (
  state: S | undefined,
  command: C,
  moment: Moment,
) => readonly E[];

/** Adds to a command what requires I/O. Called again after a conflict. */
export type Prepare<S, C extends Command, P extends Command> = (
  state: S | undefined,
  command: C,
  moment: Moment,
) => Promise<P> | P;
