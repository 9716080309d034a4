import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import { type AccessCommand, decideAccess } from "./access.decider.ts";

/** One reveal of sealed data. Each has its own stream, so that reveals do not conflict. */
export function accessAggregate(id: string, reportId: string): Aggregate<true, AccessCommand> {
  return accessOf(id, subjects.personal(reportId));
}

/** The same, of an account's data. */
export function accountAccess(id: string, accountId: string): Aggregate<true, AccessCommand> {
  return accessOf(id, subjects.account(accountId));
}

/** The same, of an email. It holds no data but IDs. */
export function mailAccess(id: string): Aggregate<true, AccessCommand> {
  return accessOf(id, subjects.settings);
}

/** One export of a list by an account. The filter may be a name, so the account's key seals it. */
export function listExport(id: string, accountId: string): Aggregate<true, AccessCommand> {
  const account = subjects.account(accountId);
  return { ...accessOf(id, account), subjects: { account } };
}

function accessOf(id: string, subject: string): Aggregate<true, AccessCommand> {
  return {
    stream: streams.access(id),
    bodySubjects: [subject],
    clientSubject: (caller) => ownSubject(caller) ?? subject,
    evolve: () => true,
    decide: decideAccess,
  };
}
