import { DomainError } from "#contracts/domain-error.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { MODERATION } from "#contracts/http/moderation.ts";
import { RESOLUTION_COMMANDS } from "#contracts/http/resolution.ts";
import { OWN_REPORT } from "#contracts/report/own-report.ts";
import { blindEmails, type KnownPerson, mayName } from "#search/matching.ts";
import type { BlindIndexer } from "#vault/sealing/blind-index.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import type { Caller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { reportAggregate } from "./report.aggregate.ts";
import type { ReportCommand } from "./report.commands.ts";

/** The commands that staff send about a report. The others are its reporter's, or the system's. */
const OF_STAFF: ReadonlySet<string> = new Set([
  ...[MODERATION, RESOLUTION_COMMANDS].flatMap((rows) =>
    Object.values(rows).map(({ type }) => type),
  ),
  ...([
    "PublishEvidence",
    "HideEvidence",
    "DeleteEvidence",
    "TakeDownMaterial",
    "PutMaterialBack",
    "WarnReporter",
    "LiftReporterWarning",
  ] satisfies ReportCommand["type"][]),
]);

/** Whether staff send the command. */
export function isOfStaff({ type }: Pick<ReportCommand, "type">): boolean {
  return OF_STAFF.has(type);
}

interface Deps {
  readonly handler: Pick<CommandHandler, "first" | "load">;
  readonly blind: BlindIndexer;
}

/**
 * Keeps staff from reports that concern themselves: those that their account submitted or claimed, and those
 * about a person who has an address that is or was the account's confirmed one, or its first and last name.
 */
export class OwnAccount {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @param report as it is decided about; nothing is refused where there is none any more.
   * @throws {DomainError} `forbidden`, with the same sentence whatever the reason.
   */
  async refuse(reportId: string, report: ReportState | undefined, caller: Caller): Promise<void> {
    if (!(await this.concerns(reportId, report, caller))) return;
    throw new DomainError("forbidden", OWN_REPORT);
  }

  /** Whether the report concerns the caller's account. */
  async concerns(
    reportId: string,
    report: ReportState | undefined,
    { actor }: Pick<Caller, "actor">,
  ): Promise<boolean> {
    if (!report || report.erased || actor.role === "system") return false;
    if (report.claimed_by === actor.id) return true;
    const { handler } = this.#deps;
    const [first, account] = await Promise.all([
      handler.first(reportAggregate(reportId)),
      this.#person(actor.id),
    ]);
    if (first?.metadata.actor.id === actor.id) return true;
    const { personal, blind } = report;
    if (!personal || !account) return false;
    const { first_name, last_name } = personal;
    return mayName({ first_name, last_name, blind: blind ?? {} }, account);
  }

  /** Who the account says it is; undefined once it is erased. */
  async #person(accountId: string): Promise<KnownPerson | undefined> {
    const { handler, blind } = this.#deps;
    const account = (await handler.load(accountAggregate(accountId)))?.state;
    if (!account?.profile) return undefined;
    const { first_name, last_name, email } = account.profile;
    const confirmed = [...account.formerEmails, ...(account.confirmed ? [email] : [])];
    return { first_name, last_name, emails: blindEmails(confirmed, blind) };
  }
}
