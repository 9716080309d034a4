import { type ReportEvent, streams } from "#contracts/events/index.ts";
import type { ReportProgress } from "#contracts/http/reporter-links.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { ReportLinks } from "#vault/links/report-link.ts";
import type { StreamDeps } from "../export/opened-stream.ts";
import { linkInvalid } from "../report/report.decider.ts";
import { reportAfter, reportProgress, type TimedEvent } from "./report-progress.ts";

interface Deps extends StreamDeps {
  readonly reportLinks: ReportLinks;
}

/** What reporters do by the links of their mails, without an account. */
export class ReporterLinksService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * How far a report is. It is read from the log, so it is never older than the mail that led here.
   * @param now RFC 3339, UTC.
   * @throws {DomainError} `link_invalid`, alike for a token that was made up, for one that was mailed to
   *   a former address, and once the report or its reporter is erased.
   */
  async progress(token: string, now: string): Promise<ReportProgress> {
    const link = this.#deps.reportLinks.readStatusToken(token, now);
    if (!link) throw linkInvalid();
    const events = await this.#read(link.id);
    const state = reportAfter(events);
    if (!state?.reporter || !state.personal) throw linkInvalid();
    const { status } = state;
    if (status === "deleted" || !link.isFor(state.reporter.reporter_email)) throw linkInvalid();
    return reportProgress(link.id, events, { ...state, status });
  }

  async #read(id: string): Promise<TimedEvent[]> {
    const { store, keys, codec } = this.#deps;
    const stored: StoredEvent[] = [];
    for await (const event of store.readStream(streams.report(id))) stored.push(event);
    const found = await keys.get(codec.subjectsOf(stored));
    return stored.map((each) => ({
      event: codec.openEvent(each, found) as ReportEvent,
      at: each.metadata.time,
    }));
  }
}
