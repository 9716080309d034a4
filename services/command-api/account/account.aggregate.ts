import { streams } from "#contracts/events/index.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import { subjects } from "#contracts/sealed.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import { reporterBlindIndexes } from "../report/report.blind.ts";
import type { AccountCommand } from "./account.commands.ts";
import { decideAccount } from "./account.decider.ts";

/**
 * Stream, key, fold and decider of one account.
 * @param index for the blind index of an address that the command confirms.
 */
export function accountAggregate(
  id: string,
  index?: BlindIndexer,
): Aggregate<AccountState, AccountCommand> {
  const account = subjects.account(id);
  return {
    stream: streams.user(id),
    subjects: { account },
    bodySubjects: [account],
    // A visitor who acts on an account is treated as its owner.
    clientSubject: (caller) => ownSubject(caller) ?? account,
    newSubjects: () => [{ subject: account }],
    evolve: evolveAccount,
    prepare: (state, command) => {
      const email = state && addressAfter(state, command);
      return index && email ? { ...command, blind: reporterBlindIndexes(email, index) } : command;
    },
    decide: decideAccount,
  };
}

/** The account's confirmed address after the command, if the command confirms one. */
function addressAfter(state: AccountState, command: AccountCommand): string | null | undefined {
  switch (command.type) {
    case "ConfirmEmail":
    case "SetPassword":
      return state.profile?.email;
    case "ConfirmEmailChange":
      return state.emailChange?.email;
    case "UndoEmailChange":
      return state.undos.find(({ link }) => link.link_id === command.linkId)?.formerEmail;
    default:
      return undefined;
  }
}
