import type { OneTimeLink } from "#contracts/events/one-time-link.ts";

/** A command is data. Its type is the name that the log keeps. */
export interface Command {
  readonly type: string;
}

/** What a command needs so that deciding uses no clock and no randomness. */
export interface Moment {
  /** RFC 3339, UTC, milliseconds. */
  readonly now: string;
  /** UUID for the one thing that the command may make. */
  readonly newId: string;
}

/** A link that is asked for now, and works for so long. */
export function linkFrom({ now, newId }: Moment, livesMs: number): OneTimeLink {
  return { link_id: newId, expires_at: new Date(Date.parse(now) + livesMs).toISOString() };
}

/** Decides what happens, or refuses with a `DomainError`. Pure. */
export type Decide<S, C extends Command, E> = (
  state: S | undefined,
  command: C,
  moment: Moment,
) => readonly E[];

/** Completes a command by what needs I/O. It is called again after a conflict. */
export type Prepare<S, C extends Command, P extends Command> = (
  state: S | undefined,
  command: C,
  moment: Moment,
) => Promise<P> | P;
