import { streams, type UserEvent } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import type { Aggregate } from "../commands/command-handler.ts";

/** What an account's history says of it. Its credentials stand in `command.account`. */
export interface AccountState {
  readonly role: "user" | "admin" | "auditor";
  /** Null once the account is erased. */
  readonly profile: { first_name: string; last_name: string; email: string } | null;
}

export function evolveAccount(state: AccountState | undefined, event: UserEvent): AccountState {
  if (event.type === "AccountAdded") {
    return { role: event.data.role, profile: event.data.account ?? null };
  }
  if (!state) throw new Error(`${event.type} stands before AccountAdded`);
  return state;
}

/** One account's stream, its key and its fold. */
export function accountAggregate(id: string): Aggregate<AccountState> {
  const account = subjects.account(id);
  return {
    stream: streams.user(id),
    subjects: { account },
    bodySubjects: [account],
    clientSubject: () => account,
    newSubjects: () => [{ subject: account }],
    evolve: (state, event) => evolveAccount(state, event as UserEvent),
  };
}
