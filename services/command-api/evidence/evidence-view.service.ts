import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { REVEAL_MS } from "#contracts/http/admin-reports.ts";
import { messages } from "#http/errors.ts";
import { accessAggregate } from "../access/access.aggregate.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Caller, CommandEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { reportAggregate } from "../report/report.aggregate.ts";
import { requireExisting } from "../report/report.decider.ts";

/** Opens files of reports after recording who opened them. */
export class EvidenceViewService extends Service<
  Pick<Dependencies, "handler" | "store" | "own" | "files">
> {
  /**
   * Opens a file for staff; recorded.
   * @throws {DomainError} as `openOwn`; `forbidden` if the report concerns them.
   */
  async open(reportId: string, fileId: string, envelope: CommandEnvelope) {
    const report = await this.#load(reportId);
    await this.deps.own.refuse(reportId, report, envelope.caller);
    return this.#open({ reportId, fileId, report }, envelope);
  }

  /**
   * Opens a file that a reveal of its report already opened and recorded. No password needed: the reveal asked
   * for it.
   * @throws {DomainError} `report_not_found`, `report_deleted`; `forbidden` for a report that concerns the
   *   caller, and if the reveal is another account's, too old, or opened no such file; `not_found` if the file
   *   was erased since.
   */
  async openRevealed(
    reportId: string,
    fileId: string,
    revealId: string,
    caller: Pick<Caller, "actor" | "now">,
  ) {
    const { actor, now } = caller;
    const report = requireExisting(await this.#load(reportId));
    await this.deps.own.refuse(reportId, report, caller);
    for await (const { type, data, metadata } of this.deps.store.readStream(
      streams.access(revealId),
    )) {
      const isOpened =
        type === "PersonalDataViewed" &&
        data.report_id === reportId &&
        (data.files as string[]).includes(fileId) &&
        metadata.actor.id === actor.id &&
        Date.parse(now) - Date.parse(metadata.time) <= REVEAL_MS;
      if (isOpened) return this.#read(fileId, report);
    }
    throw new DomainError("forbidden", "Reveal the report again to open its files.");
  }

  /**
   * Opens a file for the account that added it, which the caller has checked. Every call is recorded.
   * @throws {DomainError} `report_not_found`, `report_deleted`; `not_found` for a file that isn't the report's or
   *   is erased.
   */
  async openOwn(reportId: string, fileId: string, envelope: CommandEnvelope) {
    return this.#open({ reportId, fileId, report: await this.#load(reportId) }, envelope);
  }

  async #load(reportId: string): Promise<ReportState | undefined> {
    return (await this.deps.handler.load(reportAggregate(reportId)))?.state;
  }

  async #open(
    {
      reportId,
      fileId,
      report,
    }: {
      readonly reportId: string;
      readonly fileId: string;
      readonly report: ReportState | undefined;
    },
    envelope: CommandEnvelope,
  ) {
    const { handler } = this.deps;
    const command = { type: "ViewEvidence", reportId, fileId, report } as const;
    const access = accessAggregate(randomUUID(), reportId);
    const { position } = await handler.execute(access, command, envelope, { creates: true });
    return { ...(await this.#read(fileId, report)), position };
  }

  async #read(fileId: string, report: ReportState | undefined) {
    const file = report?.evidence.find(({ file_id }) => file_id === fileId);
    const found = await this.deps.files.get(fileId);
    if (!file || file.erased || found.state !== "present")
      throw new DomainError("not_found", messages.not_found);
    const content: Readable = found.content;
    return { name: file.personal?.name ?? fileId, type: file.type, bytes: found.bytes, content };
  }
}
