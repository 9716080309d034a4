import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import type { AccessCommand } from "./access.commands.ts";
import { decideAccess } from "./access.decider.ts";

/** One reveal of sealed data. Each has its own stream, so that reveals do not conflict. */
export function accessAggregate(id: string, reportId: string): Aggregate<true, AccessCommand> {
  const personal = subjects.personal(reportId);
  return {
    stream: streams.access(id),
    bodySubjects: [personal],
    clientSubject: (caller) => ownSubject(caller) ?? personal,
    evolve: () => true,
    decide: decideAccess,
  };
}
