import { Type } from "typebox";
import { EXPORT_MINUTES } from "#contracts/account/deadlines.ts";
import { DomainError } from "#contracts/domain-error.ts";
import {
  EXPORT_PARTS,
  ExportData,
  ExportFile,
  type ExportPage,
  type ExportPart,
  ExportReply,
} from "#contracts/http/account-export.ts";
import { SIGNED_IN } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { type ExportPlace, exportPlaces, type SealedTexts } from "#vault/links/list-export.ts";
import type { StreamDeps } from "#vault/open-stream.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import { owned, sessionOver } from "../account/account.decider.ts";
import type { AccountStore } from "../account/account.store.ts";
import { ownSession, requireOwnSession } from "../account/session-start.ts";
import { EvidenceViewService } from "../evidence/evidence-view.service.ts";
import { sendFile } from "../evidence/file-bodies.ts";
import { commandsOf } from "../kernel/command-route.ts";
import { type Caller, type CommandEnvelope, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import type { WriteSide } from "../write-side.ts";
import { fillPage, type PageStart } from "./export-page.ts";
import {
  type AccountPast,
  exportedAccount,
  exportedHistory,
  readAccount,
} from "./exported-account.ts";
import { ExportedFiles, type OpenedFile } from "./exported-files.ts";
import { exportedReports } from "./exported-reports.ts";
import { exportedClaims, exportedInquiries, exportedSessions } from "./exported-sessions.ts";

/** Adds the routes to export everything stored about one's own account. */
export function exportRoutes(app: ServiceInstance, side: WriteSide): void {
  const { positionKey, accountStore: accounts } = side;
  const files = new ExportedFiles({ ...side, views: new EvidenceViewService(side) });
  const exports = new ExportService({
    ...side,
    accounts,
    files,
    places: exportPlaces(positionKey),
  });
  const command = commandsOf(app, "accounts");
  command("POST", "/prod/api/auth/export", {
    roles: SIGNED_IN,
    limit: "export_page",
    proof: true,
    summary: "Export your data, page by page; logged first",
    body: ExportData,
    reply: ExportReply,
    async run(request) {
      const caller = request.caller;
      const { next } = request.body;
      if (next !== undefined) return succeed(await exports.nextPage(next, caller));
      await exports.prepare();
      await app.limits.spend(request, "export");
      const { page, position } = await exports.begin(caller);
      return succeed(page, { position });
    },
  });

  // The files of an export, one at a time.
  app.route({
    method: "POST",
    url: "/prod/api/auth/export/file",
    config: { roles: SIGNED_IN, limit: "export_page", proof: true },
    schema: {
      tags: ["accounts"],
      summary: "Download a file you added, as part of an export; logged first",
      body: ExportFile,
      produces: ["application/octet-stream"],
      response: { 200: Type.Any() },
    },
    handler: async (request, reply) => {
      const { body } = request;
      // A retry counts as another view.
      const file = await exports.openFile(body, request.envelope("", {}));
      reply.at(file.position);
      return sendFile(reply, file);
    },
  });
}

type Deps = StreamDeps &
  Pick<WriteSide, "pool" | "handler" | "keys" | "accountStreams" | "savedFilters"> & {
    readonly accounts: Pick<AccountStore, "byId">;
    readonly places: SealedTexts<ExportPlace>;
    readonly files: Pick<ExportedFiles, "open">;
  };

const EXPORT_MS = EXPORT_MINUTES * 60_000;
/** The token's part when it is for downloading files. */
const FILES = "files";

class ExportService extends Service<Deps> {
  /**
   * Makes sure that everything can be listed.
   * @throws {DomainError} `unavailable` if too much of the log is unread.
   */
  async prepare(): Promise<void> {
    if (await this.deps.accountStreams.catchUp()) return;
    throw new DomainError(
      "unavailable",
      "We're already collecting your data. Please try again later.",
    );
  }

  /**
   * Begins an export. The event is logged before any data is decrypted.
   * @returns the first page, and the position of the event.
   * @throws {DomainError} `invalid_token`
   */
  async begin(caller: Caller): Promise<{ page: ExportPage; position: string }> {
    const { handler, accounts } = this.deps;
    const { id } = caller.actor;
    const command = { type: "ExportAccountData", own: await ownSession(handler, caller) } as const;
    const envelope = newEnvelope(caller);
    const { position } = await handler.execute(accountAggregate(id), command, envelope);
    const past = await readAccount(id, this.deps);
    const account = await accounts.byId(id);
    const { state, times } = past;
    if (!account || !state) throw sessionOver();
    const saved = await this.deps.savedFilters.of(id);
    const saved_filters = saved.map(({ list, name, filter }) => ({ list, name, filter }));
    const about = {
      exported_at: caller.now,
      ...exportedAccount(account, state, times),
      ...(saved.length > 0 ? { saved_filters } : {}),
    };
    const expiresAt = new Date(Date.parse(caller.now) + EXPORT_MS).toISOString();
    const start = { part: EXPORT_PARTS[0] as ExportPart, after: "" };
    return { page: { about, ...(await this.#page(past, caller, start, expiresAt)) }, position };
  }

  /**
   * Returns the page after the token's.
   * @throws {DomainError} `link_invalid` for an unknown or expired token; `invalid_token`
   */
  async nextPage(token: string, caller: Caller): Promise<ExportPage> {
    const { part, after, expiresAt } = this.#place(token, caller);
    const known = EXPORT_PARTS.find((each) => each === part);
    if (!known) throw exportOver();
    const own = await ownSession(this.deps.handler, caller);
    const past = await readAccount(caller.actor.id, this.deps);
    owned(past.state, own);
    return this.#page(past, caller, { part: known, after }, expiresAt);
  }

  /**
   * Opens a file of the account; recorded first.
   * @throws {DomainError} `link_invalid`, `not_found`, `invalid_token`
   */
  async openFile(body: ExportFile, envelope: CommandEnvelope): Promise<OpenedFile> {
    const { caller } = envelope;
    if (this.#place(body.export, caller).part !== FILES) throw exportOver();
    await requireOwnSession(this.deps.handler, caller);
    return this.deps.files.open(body.file, envelope);
  }

  #place(token: string, { actor, now }: Caller) {
    const place = this.deps.places.open(token, now);
    if (place?.accountId !== actor.id) throw exportOver();
    return place;
  }

  async #page(
    past: AccountPast,
    { actor: { sessionId } }: Caller,
    start: PageStart,
    expiresAt: string,
  ): Promise<ExportPage> {
    const deps = this.deps;
    const { id: accountId } = past;
    const { items, next } = await fillPage(
      {
        history: (after) => exportedHistory(past, after, deps),
        sessions: (after) => exportedSessions(past, sessionId, after, deps),
        claims: (after) => exportedClaims(past, after, deps),
        inquiries: (after) => exportedInquiries(past, after, deps),
        reports: (after) => exportedReports(past, after, deps),
      },
      start,
    );
    const token = (place: { part: string; after: string }) =>
      deps.places.seal({ accountId, ...place, expiresAt });
    return {
      ...items,
      next: next ? token(next) : null,
      files: token({ part: FILES, after: "" }),
    };
  }
}

function exportOver(): DomainError {
  return new DomainError("link_invalid", "This download has expired. Please start it again.");
}
