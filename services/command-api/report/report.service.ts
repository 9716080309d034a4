import { randomUUID } from "node:crypto";
import { DomainError } from "#contracts/domain-error.ts";
import { type ReportEvent, streams } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/report-wire.ts";
import { given } from "#contracts/given.ts";
import type { EditReport } from "#contracts/http/admin-reports.ts";
import type { SubmitReport } from "#contracts/http/reports.ts";
import { latestDate } from "#contracts/report/dates.ts";
import { ruleProblems } from "#contracts/report/submission-rules.ts";
import type { DeletionReason, ReportStatus } from "#contracts/report/words.ts";
import { subjects } from "#contracts/sealed.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { OneTimeLinks } from "#vault/links/one-time-link.ts";
import type { BlindIndexer } from "#vault/sealing/blind-index.ts";
import { aggregateIdOf } from "#vault/sealing/command-id.ts";
import { accessAggregate } from "../access/access.aggregate.ts";
import type { AddressStore } from "../address/address-store.ts";
import { baseSlug } from "../address/slug.ts";
import type { Caller, CommandName, Outcome } from "../commands/command.ts";
import type { CommandHandler } from "../commands/command-handler.ts";
import type { CommandIds } from "../commands/command-ids.store.ts";
import type { ViewCounter } from "../views/view-counter.ts";
import { reportAggregate } from "./report.aggregate.ts";
import { blindIndexes, reporterBlindIndexes, sameBlind } from "./report.blind.ts";
import * as decider from "./report.decider.ts";
import { diffEdit, type EditDiff, editProblems } from "./report.edit.ts";
import { toNewReport } from "./report.payload.ts";

export type ReportOutcome = Outcome<ReportState>;
type Decide = (state: ReportState | undefined) => Promise<ReportEvent[]> | ReportEvent[];

interface Deps {
  readonly handler: CommandHandler;
  readonly keys: KeyStore;
  readonly addresses: AddressStore;
  readonly commandIds: CommandIds;
  readonly links: OneTimeLinks;
  readonly blind: BlindIndexer;
  readonly views: Pick<ViewCounter, "forget">;
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
    sent: CommandName,
    caller: Caller,
  ): Promise<ReportOutcome & { id: string }> {
    refuse(ruleProblems(body, latestDate(Date.parse(caller.now))));
    const { commandIds } = this.#deps;
    const command = await commandIds.settle(sent, (of) => streams.report(aggregateIdOf(of)));
    const id = aggregateIdOf(command.id);
    const report = toNewReport(body);
    const { blind: index } = this.#deps;
    const blind = blindIndexes(report.personal, index);
    const reporterBlind = reporterBlindIndexes(report.reporter.reporter_email, index);
    const decide: Decide = (state) => {
      if (state) decider.present(state);
      const moment = { now: caller.now, linkId: randomUUID() };
      const type = body.report_type;
      return decider.submitReport(state, { type, report, blind, reporterBlind }, moment);
    };
    const outcome = await this.#run(id, command, caller, decide, { creates: true });
    return { id, ...outcome };
  }

  /** Changes nothing, and says nothing, unless the address is the reporter's; see the decider. */
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
    const addressFor = this.#addresses(id);
    return this.#run(id, command, caller, async (state) => {
      const events = decider.setStatus(state, to, given({ reason }));
      // Only what is not refused takes an address.
      const slug = to === "approved" ? await addressFor(decider.present(state)) : undefined;
      return slug ? decider.setStatus(state, to, { slug }) : events;
    });
  }

  /** @throws {DomainError} `invalid` with a sentence a field. */
  async edit(
    id: string,
    edit: EditReport,
    command: CommandName,
    caller: Caller,
  ): Promise<ReportOutcome> {
    const addressFor = this.#addresses(id);
    return this.#run(id, command, caller, async (state) => {
      const report = decider.present(state);
      refuse(editProblems(report, edit, latestDate(Date.parse(caller.now))));
      const diff = diffEdit(report, edit);
      const { status, verified, reason } = edit;
      const moment = { now: caller.now, linkId: randomUUID() };
      const { personal } = report;
      if (!personal)
        return decider.editReport(report, { diff, ...given({ status, verified, reason }) }, moment);
      const { blind: index } = this.#deps;
      const after = applied(personal, diff);
      const blind = blindIndexes(after, index);
      const email = diff.reporter.set.reporter_email;
      const changes = {
        diff,
        ...given({
          status,
          verified,
          reason,
          blind: sameBlind(report.blind, blind) ? undefined : blind,
          reporterBlind: typeof email === "string" ? reporterBlindIndexes(email, index) : undefined,
        }),
      };
      const events = decider.editReport(report, changes, moment);
      if ((status ?? report.status) !== "approved") return events;
      // Only what is not refused takes an address.
      const slug = await addressFor({ ...report, personal: after });
      return slug ? decider.editReport(report, { ...changes, slug }, moment) : events;
    });
  }

  /**
   * Ends the report, destroys its keys and forgets its views; the shredder and the hourly sweep do
   * so again should this process die.
   */
  async delete(
    id: string,
    reasonCode: DeletionReason,
    command: CommandName,
    caller: Caller,
  ): Promise<ReportOutcome> {
    const outcome = await this.#run(id, command, caller, (state) =>
      decider.deleteReport(state, reasonCode),
    );
    const { keys, views } = this.#deps;
    await keys.destroy([subjects.personal(id), subjects.reporter(id)], caller.now);
    await views.forget([id]);
    return outcome;
  }

  /**
   * Erases the reporter alone: the report stays, their part of it and the mails to them go. Done
   * before, it finishes what may be left to do.
   * @throws {DomainError} `report_not_found`, `report_deleted`
   */
  async eraseReporter(id: string, command: CommandName, caller: Caller): Promise<ReportOutcome> {
    const outcome = await this.#run(id, command, caller, decider.eraseReporter);
    await this.#deps.keys.destroy([subjects.reporter(id)], caller.now);
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

  /**
   * Takes the address that a public report needs under its present name; none while the one that it
   * has, or holds since an earlier version, is of that name. A command that is decided again takes
   * no second one.
   */
  #addresses(id: string): (report: ReportState) => Promise<string | undefined> {
    const taken = new Map<string, string>();
    return async ({ personal, slug }) => {
      if (!personal) return undefined;
      const base = baseSlug(personal.first_name, personal.last_name);
      if (slug && this.#deps.addresses.isOf(slug, base, id)) return undefined;
      const address = taken.get(base) ?? (await this.#deps.addresses.take(personal, id));
      taken.set(base, address);
      return address;
    };
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
