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
    case "ExportList": {
      const { list, format, rows, filter } = command;
      const isFiltered = Object.keys(filter).length > 0;
      const data = { list, format, rows, ...(isFiltered ? { account: { filter } } : {}) };
      return [{ type: "ListExported", data }];
    }
    case "RevealAccount": {
      const { accountId: account_id, account, revision } = command;
      if (!account?.profile)
        throw new DomainError("account_not_found", "There is no such account.");
      return [{ type: "AccountDataViewed", data: { account_id, revision } }];
    }
    case "ViewEvidence": {
      const { reportId: report_id, fileId: file_id, report } = command;
      const file = existing(report).evidence.find((each) => each.file_id === file_id);
      if (!file || file.erased) throw new DomainError("not_found", "There is no such file");
      return [{ type: "EvidenceViewed", data: { report_id, file_id } }];
    }
  }
}
