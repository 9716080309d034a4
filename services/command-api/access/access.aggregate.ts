import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import { type AccessCommand, decideAccess } from "./access.decider.ts";

/** Stream of one reveal of sealed report data. Each reveal has its own, so that they do not conflict. */
export function accessAggregate(id: string, reportId: string): Aggregate<true, AccessCommand> {
  return accessOf(id, subjects.personal(reportId));
}

/** Like {@link accessAggregate}, for an account's data. */
export function accountAccess(id: string, accountId: string): Aggregate<true, AccessCommand> {
  return accessOf(id, subjects.account(accountId));
}

/** Like {@link accessAggregate}, for an email. It holds only IDs. */
export function mailAccess(id: string): Aggregate<true, AccessCommand> {
  return accessOf(id, subjects.settings);
}

/** Stream of one export of a list. The filter may contain a name, so it is sealed with the account's key. */
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
