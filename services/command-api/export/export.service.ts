import type { Pool } from "pg";
import { DomainError } from "#contracts/domain-error.ts";
import { type ReportEvent, streams, type UserEvent } from "#contracts/events/index.ts";
import {
  EXPORTED_REPORTS,
  type ExportedAccount,
  type ExportedReport,
  type ExportPage,
} from "#contracts/http/account-export.ts";
import { reportOfReporterKey, subjects } from "#contracts/sealed.ts";
import type { Position } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { OneTimeLinks } from "#vault/links/one-time-link.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import { owned, sessionOver } from "../account/account.decider.ts";
import type { AccountStore } from "../account/account.store.ts";
import { ownSession } from "../account/own-session.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { exportedAccount, exportedHistory, ownsAfter, stateOf } from "./exported-account.ts";
import { exportedReport } from "./exported-report.ts";
import { exportedSessions } from "./exported-sessions.ts";
import { openStream, type StreamDeps } from "./opened-stream.ts";

interface Deps extends StreamDeps {
  readonly pool: Pool;
  readonly handler: CommandHandler;
  readonly keys: Pick<KeyStore, "get" | "ownedBy">;
  readonly accounts: Pick<AccountStore, "byId">;
  readonly links: OneTimeLinks;
}

/** After so many characters of reports a page ends, whatever is left. */
const PAGE_LENGTH = 1_000_000;
/** How long an export may take from its first page on. */
const PAGES_MS = 3_600_000;

/** Copies of what is stored about an account, for its owner. */
export class ExportService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Begins an export. The log has its event before anything is opened.
   * @returns the first page, and the position of the event.
   * @throws {DomainError} `invalid_token`
   */
  async begin(caller: Caller): Promise<{ page: ExportPage; position: string }> {
    const { handler } = this.#deps;
    const { id } = caller.actor;
    const command = { type: "ExportAccountData", own: await ownSession(handler, caller) } as const;
    const envelope = newEnvelope(caller);
    const { position } = await handler.execute(accountAggregate(id), command, envelope);
    const stream = await openStream<UserEvent>(streams.user(id), id, this.#deps);
    const about = await this.#about(caller, stream);
    const expiresAt = new Date(Date.parse(caller.now) + PAGES_MS).toISOString();
    const page = await this.#page(id, ownsAfter(stream), { expiresAt });
    return { page: { about, ...page }, position };
  }

  /**
   * The page after the one that gave the token.
   * @throws {DomainError} `link_invalid`: the token is no such one, another account's, or too old;
   *   `invalid_token`
   */
  async goOn(token: string, caller: Caller): Promise<ExportPage> {
    const { handler, links } = this.#deps;
    const { id } = caller.actor;
    const read = links.readToken(token, "export-page", caller.now);
    if (typeof read === "string" || read.aggregateId !== id) throw exportOver();
    const own = await ownSession(handler, caller);
    const stream = await openStream<UserEvent>(streams.user(id), id, this.#deps);
    owned(stateOf(stream), own);
    const { linkId: after, expiresAt } = read;
    return this.#page(id, ownsAfter(stream), { after, expiresAt });
  }

  async #about(
    { actor: { id, sessionId }, now }: Caller,
    stream: Awaited<ReturnType<typeof openStream<UserEvent>>>,
  ): Promise<ExportedAccount> {
    const account = await this.#deps.accounts.byId(id);
    const state = stateOf(stream);
    if (!account || !state) throw sessionOver();
    return {
      exported_at: now,
      ...exportedAccount(account, state),
      sessions: await exportedSessions(id, sessionId, ownsAfter(stream), this.#deps),
      history: exportedHistory(stream, id),
    };
  }

  /** @param from where the export goes on: after which report, and until when. */
  async #page(
    accountId: string,
    since: Position,
    from: { readonly after?: string; readonly expiresAt: string },
  ): Promise<Pick<ExportPage, "reports" | "next">> {
    const { keys, links } = this.#deps;
    // Before the first report: keys of reporters stand together, in the order of their subjects.
    const { after = "", expiresAt } = from;
    const found = await keys.ownedBy(accountId, {
      after: subjects.reporter(after),
      limit: EXPORTED_REPORTS + 1,
    });
    const ids = found.map(reportOfReporterKey).filter((id) => id !== undefined);
    const reports: ExportedReport[] = [];
    let length = 0;
    let last: string | undefined;
    for (const id of ids.slice(0, EXPORTED_REPORTS)) {
      if (length >= PAGE_LENGTH) break;
      last = id;
      const report = await this.#report(id, accountId, since);
      if (!report) continue;
      reports.push(report);
      length += JSON.stringify(report).length;
    }
    if (last === undefined || last === ids.at(-1)) return { reports, next: null };
    const content = { aggregateId: accountId, linkId: last, expiresAt };
    return { reports, next: links.makeToken("export-page", content) };
  }

  async #report(id: string, accountId: string, since: Position) {
    const stream = await openStream<ReportEvent>(streams.report(id), accountId, this.#deps);
    const [first] = stream.events;
    const last = stream.events.findLast(
      ({ event: { type } }) => type === "ReportClaimed" || type === "ReportDisowned",
    )?.event;
    const isClaimed = last?.type === "ReportClaimed" && last.data.account_id === accountId;
    const isSubmitted = last === undefined && first && first.stored.position > since;
    const isOwn = isClaimed || isSubmitted;
    return isOwn ? exportedReport(id, stream) : undefined;
  }
}

function exportOver(): DomainError {
  return new DomainError("link_invalid", "This export has ended. Please start it again.");
}
