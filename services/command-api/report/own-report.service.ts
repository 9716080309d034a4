import { randomUUID } from "node:crypto";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/report-wire.ts";
import { given } from "#contracts/given.ts";
import type { OpenedReport } from "#contracts/http/own-reports.ts";
import { rejectionWords } from "#contracts/report/words.ts";
import { subjects } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { accessAggregate } from "../access/access.aggregate.ts";
import { requireOwnSession } from "../account/own-session.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { reportAggregate } from "./report.aggregate.ts";
import { existing } from "./report.decider.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly keys: Pick<KeyStore, "ownedBy">;
}

/** Opens reports for the accounts that they belong to. */
export class OwnReportService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * A report as it was submitted, without what moderators added to it. That somebody looks is
   * recorded first, on every call.
   * @throws {DomainError} `report_not_found`, also for somebody else's report; `invalid_token`.
   */
  async open(
    id: string,
    envelope: CommandEnvelope,
  ): Promise<{ readonly opened: OpenedReport; readonly position: string }> {
    const { handler } = this.#deps;
    const { caller } = envelope;
    await requireOwnSession(handler, caller);
    const report = reportAggregate(id);
    const [first, loaded] = await Promise.all([handler.first(report), handler.load(report)]);
    const isOwn = first && loaded && (await this.#isOwn(id, first, loaded.state, caller.actor.id));
    const submitted = isOwn ? await handler.loadFirst(report) : undefined;
    const command = {
      type: "OpenOwnReport",
      reportId: id,
      report: submitted,
      revision: 0,
    } as const;
    const access = accessAggregate(randomUUID(), id);
    const { position } = await handler.execute(access, command, envelope, { creates: true });
    // Without them the access is refused.
    const [event, now] = [first as StoredEvent, existing(loaded?.state)];
    const [then, present] = [toWire(existing(submitted)), toWire(now)];
    const opened = {
      id,
      status: now.status,
      verified: now.verified,
      submitted_at: event.metadata.time,
      edited: JSON.stringify(then) !== JSON.stringify(present),
      report: then,
      ...given({ rejection_reason: rejectionWords(now.rejection_reason, now.rejection_code) }),
    };
    return { opened, position };
  }

  /**
   * Whose report it is, is what the log says: who submitted it. The list of keys knows of reports that
   * are nobody's any more, because the address of their account was confirmed by somebody else.
   */
  async #isOwn(id: string, first: StoredEvent, now: ReportState, account: string) {
    if (now.status === "deleted" || !now.reporter || !now.personal) return false;
    if (first.metadata.actor.id !== account) return false;
    return (await this.#deps.keys.ownedBy(account)).includes(subjects.reporter(id));
  }
}
