import { DomainError } from "#contracts/domain-error.ts";
import type { RegistryEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type { AccountState } from "#contracts/events/user/account-state.ts";
import type { EXPORT_LIST, ExportFilter, ExportFormat } from "#contracts/http/list-exports.ts";
import type { KindOfMail } from "#contracts/mail/kind-of-mail.ts";
import { LETTER } from "#contracts/report/resolution.ts";
import { requireExisting } from "../report/report.decider.ts";

/** Commands that open sealed data. */
export type AccessCommand = OpenReport | ViewEvidence | OpenAccount | ExportList | ReadMail;

interface ReadMail {
  readonly type: "ReadMail";
  readonly mailId: string;
  readonly kind: string;
  readonly owner: KindOfMail["owner"];
  readonly ownerId: string;
}

interface ExportList {
  readonly type: (typeof EXPORT_LIST)["type"];
  readonly list: string;
  readonly format: ExportFormat;
  readonly rows: number;
  readonly filter: ExportFilter;
}

interface OpenAccount {
  readonly type: "RevealAccount";
  readonly accountId: string;
  /** The account at that revision; undefined if there is none. */
  readonly account: AccountState | undefined;
  readonly revision: number;
}

interface ViewEvidence {
  readonly type: "ViewEvidence";
  readonly reportId: string;
  readonly fileId: string;
  /** Undefined if it was never submitted. */
  readonly report: ReportState | undefined;
}

interface OpenReport {
  /** `RevealReport` by staff; `OpenOwnReport` by an account, for a report of its own. */
  readonly type: "RevealReport" | "OpenOwnReport";
  /** Whether its files are opened with it. */
  readonly withFiles: boolean;
  readonly reportId: string;
  /** The report at that revision; undefined if it was never submitted. */
  readonly report: ReportState | undefined;
  readonly revision: number;
}

/** Decides all commands that open sealed data. */
export function decideAccess(_: true | undefined, command: AccessCommand): RegistryEvent[] {
  switch (command.type) {
    case "RevealReport":
    case "OpenOwnReport": {
      const { reportId: report_id, revision, withFiles } = command;
      const report = requireExisting(command.report);
      // Its keys may be destroyed before the deletion is in the log.
      if (!report.personal) throw new DomainError("report_deleted", "This report was deleted");
      const parts = (["personal", "reporter"] as const).filter((part) => report[part]);
      const files = withFiles ? openableFiles(report).map(({ file_id }) => file_id) : [];
      return [{ type: "PersonalDataViewed", data: { report_id, revision, parts, files } }];
    }
    case "ExportList": {
      const { list, format, rows, filter } = command;
      const isFiltered = Object.keys(filter).length > 0;
      const data = { list, format, rows, ...(isFiltered ? { account: { filter } } : {}) };
      return [{ type: "ListExported", data }];
    }
    case "ReadMail": {
      const { mailId: mail_id, kind, owner, ownerId: owner_id } = command;
      return [{ type: "MailViewed", data: { mail_id, kind, owner, owner_id } }];
    }
    case "RevealAccount": {
      const { accountId: account_id, account, revision } = command;
      if (!account?.profile) throw new DomainError("account_not_found", "Account not found.");
      return [{ type: "AccountDataViewed", data: { account_id, revision } }];
    }
    case "ViewEvidence": {
      const { reportId: report_id, fileId: file_id, report } = command;
      const file = requireExisting(report).evidence.find((each) => each.file_id === file_id);
      if (!file || file.erased) throw new DomainError("not_found", "File not found");
      return [{ type: "EvidenceViewed", data: { report_id, file_id } }];
    }
  }
}

/** Returns the evidence that can still be opened. Letters are listed with their request instead. */
export function openableFiles({ evidence }: Pick<ReportState, "evidence">) {
  return evidence.flatMap(({ file_id, kind, type, personal, erased }) =>
    personal && !erased && kind !== LETTER
      ? [{ file_id, type, name: personal.name, bytes: personal.bytes }]
      : [],
  );
}
