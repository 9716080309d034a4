import { randomUUID } from "node:crypto";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/report-wire.ts";
import type { EditReport } from "#contracts/http/admin-reports.ts";
import type { SubmitReport } from "#contracts/http/reports.ts";
import { latestDate } from "#contracts/report/dates.ts";
import { ruleProblems } from "#contracts/report/submission-rules.ts";
import type { DeletionReason, ReportStatus } from "#contracts/report/words.ts";
import { subjects } from "#contracts/sealed.ts";
import { DomainError } from "#kit/http/errors.ts";
import type { KeyStore } from "#kit/keys/key-store.ts";
import type { OneTimeLinks } from "#kit/links/one-time-link.ts";
import type { BlindIndexer } from "#kit/sealing/blind-index.ts";
import { aggregateIdOf } from "#kit/sealing/command-id.ts";
import { accessAggregate } from "../access/access.aggregate.ts";
import type { Caller, CommandName, Outcome } from "../commands/command.ts";
import type { CommandHandler } from "../commands/command-handler.ts";
import { baseSlug } from "../slug/slug.ts";
import type { SlugStore } from "../slug/slug-store.ts";
import { reportAggregate } from "./report.aggregate.ts";
import { blindIndexes, sameBlind } from "./report.blind.ts";
import * as decider from "./report.decider.ts";
import { diffEdit, type EditDiff, editProblems } from "./report.edit.ts";
import { toNewReport } from "./report.payload.ts";

export type ReportOutcome = Outcome<ReportState>;
type Decide = (state: ReportState | undefined) => Promise<ReportEvent[]> | ReportEvent[];

interface Deps {
  readonly handler: CommandHandler;
  readonly keys: KeyStore;
  readonly slugs: SlugStore;
  readonly links: OneTimeLinks;
  readonly blind: BlindIndexer;
}

/** The commands of a report, each one append. */
export class ReportService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {DomainError} `invalid` with a sentence a field. */
  async submit(
    body: SubmitReport,
    command: CommandName,
    caller: Caller,
  ): Promise<ReportOutcome & { id: string }> {
    const id = aggregateIdOf(command.id);
    refuse(ruleProblems(body, latestDate(Date.parse(caller.now))));
    const report = toNewReport(body);
    const blind = blindIndexes(report.personal, this.#deps.blind);
    const decide: Decide = async (state) => {
      if (state) decider.present(state);
      const slug = await this.#takeSlug(report.personal, id, command, caller);
      const moment = { now: caller.now, linkId: randomUUID() };
      const type = body.report_type;
      return decider.submitReport(state, { type, report, blind, slug }, moment);
    };
    const outcome = await this.#run(id, command, caller, decide, { creates: true });
    if (!outcome.replayed) this.#deps.slugs.confirm(id, command.id);
    return { id, ...outcome };
  }

  /** Answers alike whatever happens; see the decider. */
  async resendVerification(id: string, email: string, command: CommandName, caller: Caller) {
    const moment = { now: caller.now, linkId: randomUUID() };
    const aggregate = reportAggregate(id);
    return this.#deps.handler.execute(aggregate, command, caller, (state) =>
      decider.resendVerification(state, email, moment),
    );
  }

  /** @throws {DomainError} `link_invalid` for a malformed, forged, expired or void token. */
  async verifyByLink(
    token: string,
    command: (reportId: string) => CommandName,
    caller: Caller,
  ): Promise<ReportOutcome & { id: string }> {
    const link = this.#deps.links.readToken(token, "verify-email", caller.now);
    if (typeof link === "string") {
      throw new DomainError(
        "link_invalid",
        "Verification failed. The link may be invalid or expired.",
      );
    }
    const { aggregateId: id, linkId } = link;
    const moment = { now: caller.now, linkId };
    const outcome = await this.#run(id, command(id), caller, (state) =>
      decider.verifyByLink(state, linkId, moment),
    );
    return { id, ...outcome };
  }

  async verifyByHand(id: string, command: CommandName, caller: Caller): Promise<ReportOutcome> {
    return this.#run(id, command, caller, decider.verifyByHand);
  }

  async setStatus(
    id: string,
    to: ReportStatus,
    reason: string | undefined,
    command: CommandName,
    caller: Caller,
  ): Promise<ReportOutcome> {
    return this.#run(id, command, caller, (state) => decider.setStatus(state, to, reason));
  }

  /** @throws {DomainError} `invalid` with a sentence a field. */
  async edit(
    id: string,
    edit: EditReport,
    command: CommandName,
    caller: Caller,
  ): Promise<ReportOutcome> {
    let renamed = false;
    const outcome = await this.#run(id, command, caller, async (state) => {
      const report = decider.present(state);
      refuse(editProblems(report, edit, latestDate(Date.parse(caller.now))));
      const diff = diffEdit(report, edit);
      const { status, verified, reason } = edit;
      const changes = { diff, ...optional({ status, verified, reason }) };
      const moment = { now: caller.now, linkId: randomUUID() };
      const { personal } = report;
      if (!personal || Object.keys(diff.personal.set).length + diff.personal.cleared.length === 0) {
        return decider.editReport(report, changes, moment);
      }
      const after = applied(personal, diff);
      const blind = blindIndexes(after, this.#deps.blind);
      renamed =
        baseSlug(after.first_name, after.last_name) !==
        baseSlug(personal.first_name, personal.last_name);
      const slug = renamed ? await this.#takeSlug(after, id, command, caller) : undefined;
      const found = {
        ...(sameBlind(report.blind, blind) ? {} : { blind }),
        ...(slug ? { slug } : {}),
      };
      return decider.editReport(report, { ...changes, ...found }, moment);
    });
    if (renamed && !outcome.replayed) this.#deps.slugs.confirm(id, command.id);
    return outcome;
  }

  /** Ends the report and destroys its keys; the shredder does so again should this process die. */
  async delete(
    id: string,
    reasonCode: DeletionReason,
    command: CommandName,
    caller: Caller,
  ): Promise<ReportOutcome> {
    const outcome = await this.#run(id, command, caller, (state) =>
      decider.deleteReport(state, reasonCode),
    );
    await this.#deps.keys.destroy([subjects.personal(id), subjects.reporter(id)], caller.now);
    await this.#deps.slugs.forget(id);
    return outcome;
  }

  /**
   * Every field in the clear, after the look was written into the log. A look is written each time,
   * also under an Idempotency-Key that was used before: the data is shown each time.
   */
  async reveal(id: string, command: CommandName, caller: Caller) {
    const loaded = await this.#deps.handler.load(reportAggregate(id));
    const report = decider.present(loaded?.state);
    if (!report.personal) throw new DomainError("report_deleted", "This report was deleted");
    const revision = loaded?.revision ?? 0;
    const access = accessAggregate(randomUUID(), id);
    const { position } = await this.#deps.handler.execute(access, command, caller, () => [
      { type: "PersonalDataViewed", data: { report_id: id, revision } },
    ]);
    return { report: toWire(report), position };
  }

  /** The report as it stands, its parts opened; undefined when nobody submitted it. */
  async load(id: string): Promise<ReportState | undefined> {
    return (await this.#deps.handler.load(reportAggregate(id)))?.state;
  }

  async #run(
    id: string,
    command: CommandName,
    caller: Caller,
    decide: Decide,
    options: { readonly creates?: boolean } = {},
  ): Promise<ReportOutcome> {
    const { handler } = this.#deps;
    const outcome = await handler.execute(reportAggregate(id), command, caller, decide, options);
    return { ...outcome, state: outcome.state as ReportState };
  }

  #takeSlug(
    name: { first_name: string; last_name: string },
    reportId: string,
    command: CommandName,
    caller: Caller,
  ) {
    return this.#deps.slugs.take(
      { firstName: name.first_name, lastName: name.last_name },
      { reportId, commandId: command.id, now: caller.now },
    );
  }
}

function refuse(problems: Record<string, string>): void {
  const [first] = Object.values(problems);
  if (first) throw new DomainError("invalid_request", first, problems);
}

function applied<T extends object>(personal: T, diff: EditDiff): T {
  const entries = Object.entries({ ...personal, ...diff.personal.set });
  return Object.fromEntries(
    entries.filter(([field]) => !diff.personal.cleared.includes(field)),
  ) as T;
}

/** Leaves out what is undefined. */
function optional<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, v]) => v !== undefined),
  ) as Partial<T>;
}
