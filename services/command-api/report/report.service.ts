import { randomUUID } from "node:crypto";
import { streams } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/report-wire.ts";
import type { SubmitReport } from "#contracts/http/reports.ts";
import { subjects } from "#contracts/sealed.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { OneTimeLinks } from "#vault/links/one-time-link.ts";
import type { BlindIndexer } from "#vault/sealing/blind-index.ts";
import { aggregateIdOf } from "#vault/sealing/command-id.ts";
import { accessAggregate } from "../access/access.aggregate.ts";
import type { AddressStore } from "../address/address-store.ts";
import type { CommandIds } from "../kernel/command-ids.store.ts";
import type { CommandEnvelope, Outcome } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { ViewCounter } from "../views/view-counter.ts";
import { reportAggregate } from "./report.aggregate.ts";
import type { ReportCommand } from "./report.commands.ts";
import { existing, linkInvalid } from "./report.decider.ts";
import { reportPreparation } from "./report.prepare.ts";

export type ReportOutcome = Outcome<ReportState>;

interface Deps {
  readonly handler: CommandHandler;
  readonly keys: KeyStore;
  readonly addresses: AddressStore;
  readonly commandIds: CommandIds;
  readonly links: OneTimeLinks;
  readonly blind: BlindIndexer;
  readonly views: Pick<ViewCounter, "forget">;
}

/** Runs the commands of reports, each one append, and what follows from them. */
export class ReportService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * A report that is deleted loses its keys and its views, an erased reporter their key. Done before,
   * it finishes what may be left to do; the shredder and the hourly sweep do so again should this
   * process die.
   * @throws {DomainError} what the decider refuses; see `CommandHandler`.
   */
  async execute(
    id: string,
    command: ReportCommand,
    envelope: CommandEnvelope,
  ): Promise<ReportOutcome> {
    const { handler, keys, views } = this.#deps;
    const report = { ...reportAggregate(id), prepare: reportPreparation(id, this.#deps) };
    const creates = command.type === "SubmitReport";
    const outcome = await handler.execute(report, command, envelope, { creates });
    const { now } = envelope.caller;
    const reporter = subjects.reporter(id);
    if (command.type === "EraseReporter") await keys.destroy([reporter], now);
    if (command.type === "DeleteReport") {
      await keys.destroy([subjects.personal(id), reporter], now);
      await views.forget([id]);
    }
    return { ...outcome, state: outcome.state as ReportState };
  }

  /** The id of the new report is made of the envelope's, so that a retry finds it. */
  async submit(body: SubmitReport, sent: CommandEnvelope): Promise<ReportOutcome & { id: string }> {
    const { commandIds } = this.#deps;
    const envelope = await commandIds.settle(sent, (of) => streams.report(aggregateIdOf(of)));
    const id = aggregateIdOf(envelope.id);
    return { id, ...(await this.execute(id, { type: "SubmitReport", body }, envelope)) };
  }

  /**
   * @param now RFC 3339, UTC.
   * @throws {DomainError} `link_invalid` for a malformed, forged, expired or void token.
   */
  async verifyByLink(
    token: string,
    envelope: (reportId: string) => CommandEnvelope,
    now: string,
  ): Promise<ReportOutcome> {
    const link = this.#deps.links.readToken(token, "verify-email", now);
    if (typeof link === "string") throw linkInvalid();
    const { aggregateId: id, linkId } = link;
    return this.execute(id, { type: "VerifyReport", linkId }, envelope(id));
  }

  /**
   * Every field in the clear, after the look was written into the log. A look is written each time,
   * also under an Idempotency-Key that was used before: the data is shown each time.
   */
  async reveal(id: string, envelope: CommandEnvelope) {
    const { handler } = this.#deps;
    const loaded = await handler.load(reportAggregate(id));
    const { state: report, revision = 0 } = loaded ?? {};
    const command = { type: "RevealReport", reportId: id, report, revision } as const;
    const access = accessAggregate(randomUUID(), id);
    const { position } = await handler.execute(access, command, envelope, { creates: true });
    return { report: toWire(existing(report)), position };
  }

  /** The report as it stands, its parts opened; undefined when nobody submitted it. */
  async load(id: string): Promise<ReportState | undefined> {
    return (await this.#deps.handler.load(reportAggregate(id)))?.state;
  }
}
