import type { Readable } from "node:stream";
import { DomainError } from "#contracts/domain-error.ts";
import type { ExportFile } from "#contracts/http/account-export.ts";
import { messages } from "#http/errors.ts";
import type { StreamDeps } from "#vault/open-stream.ts";
import type { EvidenceViewService } from "../evidence/evidence-view.service.ts";
import { inquiryAggregate } from "../inquiry/inquiry-documents.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { ownsReport } from "../report/own-account.ts";
import { reportAggregate } from "../report/report.aggregate.ts";
import type { WriteSide } from "../write-side.ts";
import { readAccount } from "./exported-account.ts";
import { isOwnFile } from "./exported-reports.ts";

type Deps = StreamDeps &
  Pick<WriteSide, "handler" | "inquiries"> & {
    readonly views: Pick<EvidenceViewService, "openOwn">;
  };

/** An open file to be read to its end, and the position of the event that recorded it. */
export interface OpenedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly content: Readable;
  readonly position: string;
}

/** Opens files that an account added itself, for its owner. */
export class ExportedFiles extends Service<Deps> {
  /** @throws {DomainError} `not_found` for a file that the account didn't add itself or that is erased. */
  async open(file: ExportFile["file"], envelope: CommandEnvelope): Promise<OpenedFile> {
    const accountId = envelope.caller.actor.id;
    if ("inquiry_id" in file) return this.#document(file.inquiry_id, accountId, envelope);
    const { report_id: reportId, file_id: fileId } = file;
    if (!(await this.#isOwn(reportId, fileId, accountId))) throw notFound();
    return this.deps.views.openOwn(reportId, fileId, envelope);
  }

  async #isOwn(reportId: string, fileId: string, accountId: string): Promise<boolean> {
    const { handler } = this.deps;
    const report = reportAggregate(reportId);
    const [first, loaded] = await Promise.all([handler.first(report), handler.load(report)]);
    if (!first || !loaded) return false;
    if (!(await ownsReport(accountId, first, loaded.state, this.deps))) return false;
    for await (const event of handler.stored(report))
      if (isOwnFile(event, fileId, accountId)) return true;
    return false;
  }

  async #document(id: string, accountId: string, { caller }: CommandEnvelope): Promise<OpenedFile> {
    const { handler, inquiries } = this.deps;
    const known = { id, family: "inquiry" } as const;
    const first = await handler.first(inquiryAggregate(known));
    const isSender = first !== undefined && first.metadata.actor.id === accountId;
    if (!isSender || first.position <= (await readAccount(accountId, this.deps)).since)
      throw notFound();
    const document = await inquiries.openDocumentOf(known, caller);
    if (!document) throw notFound();
    return document;
  }
}

function notFound(): DomainError {
  return new DomainError("not_found", messages.not_found);
}
