import { expect } from "vitest";
import { DomainError, type ErrorCode } from "#contracts/domain-error.ts";

interface Decider<S, C, M, E> {
  readonly decide: (state: S | undefined, command: C, moment: M) => readonly E[];
  readonly evolve: (state: S | undefined, event: E) => S;
  /** When commands are decided, unless a test says otherwise. */
  readonly moment: M;
}

/** Tests of a decider: `given(...events).when(command)`, which `gives(...events)` or `isRefused(code)`. */
export function givenFor<S, C, M, E>({ decide, evolve, moment }: Decider<S, C, M, E>) {
  return (...history: readonly E[]) => {
    const state = history.reduce<S | undefined>(evolve, undefined);
    return {
      state,
      when(command: C, at: M = moment) {
        return {
          get events() {
            return decide(state, command, at);
          },
          gives: (...events: E[]) => expect(decide(state, command, at)).toEqual(events),
          isRefused: (code: ErrorCode) =>
            expect(refusalOf(() => decide(state, command, at))).toBe(code),
        };
      },
    };
  };
}

function refusalOf(decide: () => unknown): ErrorCode | undefined {
  try {
    decide();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return undefined;
}
