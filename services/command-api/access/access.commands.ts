import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type { AccountState } from "#contracts/events/user/account-state.ts";
import type { EXPORT_LIST, ExportFilter, ExportFormat } from "#contracts/http/list-exports.ts";

/** The commands about sealed data. */
export type AccessCommand = OpenReport | ViewEvidence | OpenAccount | ExportList;

/** Staff export a list, as the read side has counted it. */
interface ExportList {
  readonly type: (typeof EXPORT_LIST)["type"];
  readonly list: string;
  readonly format: ExportFormat;
  readonly rows: number;
  readonly filter: ExportFilter;
}

/** An admin opens an account. */
interface OpenAccount {
  readonly type: "RevealAccount";
  readonly accountId: string;
  /** The account at that revision; undefined if there is none. */
  readonly account: AccountState | undefined;
  readonly revision: number;
}

/** Staff open a file of a report. */
interface ViewEvidence {
  readonly type: "ViewEvidence";
  readonly reportId: string;
  readonly fileId: string;
  /** Undefined if it was never submitted. */
  readonly report: ReportState | undefined;
}

interface OpenReport {
  /** Staff open a report; an account opens one of its own. */
  readonly type: "RevealReport" | "OpenOwnReport";
  readonly reportId: string;
  /** The report at that revision; undefined if it was never submitted. */
  readonly report: ReportState | undefined;
  readonly revision: number;
}
