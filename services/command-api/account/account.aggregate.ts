import { streams } from "#contracts/events/index.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import { subjects } from "#contracts/sealed.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import type { AccountCommand } from "./account.commands.ts";
import { decideAccount } from "./account.decider.ts";

/** One account's stream, key, fold and decider. */
export function accountAggregate(id: string): Aggregate<AccountState, AccountCommand> {
  const account = subjects.account(id);
  return {
    stream: streams.user(id),
    subjects: { account },
    bodySubjects: [account],
    // A visitor who acts on an account is treated as its owner.
    clientSubject: (caller) => ownSubject(caller) ?? account,
    newSubjects: () => [{ subject: account }],
    evolve: evolveAccount,
    decide: decideAccount,
  };
}
