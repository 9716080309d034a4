import { DomainError } from "#contracts/domain-error.ts";
import type { RegistryEvent } from "#contracts/events/index.ts";
import { existing } from "../report/report.decider.ts";
import type { AccessCommand } from "./access.commands.ts";

/** Decides all commands about sealed data. */
export function decideAccess(_: true | undefined, command: AccessCommand): RegistryEvent[] {
  switch (command.type) {
    case "RevealReport":
    case "OpenOwnReport": {
      const { reportId: report_id, report, revision } = command;
      // Its keys may be destroyed before the log holds the deletion.
      if (!existing(report).personal) {
        throw new DomainError("report_deleted", "This report was deleted");
      }
      return [{ type: "PersonalDataViewed", data: { report_id, revision } }];
    }
  }
}
