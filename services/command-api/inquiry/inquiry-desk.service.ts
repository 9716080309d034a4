import type { InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import type {
  AddInquiryNote,
  ChangeInquiryStatus,
  RevealedInquiry,
} from "#contracts/http/admin-inquiries.ts";
import { answersInWords } from "#contracts/inquiry/inquiry-forms.ts";
import type { InquiryStatus } from "#contracts/inquiry/inquiry-status.ts";
import { type Caller, type CommandEnvelope, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { ReportService } from "../report/report.service.ts";
import { inquiryAggregate } from "./inquiry.aggregate.ts";
import type { InquiryCommand } from "./inquiry.commands.ts";
import { notFound, requireDisclosable } from "./inquiry.decider.ts";
import type { InquiryService, OpenedDocument } from "./inquiry.service.ts";
import type { InquiryStore, KnownInquiry } from "./inquiry.store.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly known: Pick<InquiryStore, "withId">;
  readonly inquiries: Pick<InquiryService, "openDocumentOf">;
  readonly reports: Pick<ReportService, "reveal">;
}

/** How an inquiry stands after a command. */
export interface InquiryStanding {
  readonly id: string;
  readonly status: InquiryStatus;
  readonly status_revision: number;
  readonly position: string;
}

/** What staff do about inquiries. Every method throws {@link notFound} where there is none. */
export class InquiryDesk {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {DomainError} `conflict`: somebody else has changed the status since. */
  changeStatus(
    id: string,
    { status, revision }: ChangeInquiryStatus,
    envelope: CommandEnvelope,
  ): Promise<InquiryStanding> {
    return this.#execute(id, { type: "ChangeInquiryStatus", status, revision }, envelope);
  }

  /** @throws {DomainError} `conflict`: it has as many notes as it may have. */
  addNote(
    id: string,
    { text }: AddInquiryNote,
    envelope: CommandEnvelope,
  ): Promise<InquiryStanding> {
    return this.#execute(id, { type: "AddInquiryNote", text }, envelope);
  }

  /**
   * What the sender wrote, after the log has noted that it is read. Every call is noted, also under one
   * Idempotency-Key, because each shows the words.
   */
  async reveal(
    id: string,
    caller: Caller,
  ): Promise<{ readonly answers: RevealedInquiry; readonly position: string }> {
    const aggregate = inquiryAggregate(await this.#known(id));
    const command = { type: "ViewInquiry" } as const;
    const { handler } = this.#deps;
    const { state, position } = await handler.execute(aggregate, command, newEnvelope(caller));
    if (!state?.kind || !state.sender) throw notFound();
    return { answers: [...answersInWords(state.kind, state.sender)], position };
  }

  /** The document that came with it, after the log has noted that it is read. */
  async document(id: string, caller: Caller): Promise<OpenedDocument> {
    const document = await this.#deps.inquiries.openDocumentOf(await this.#known(id), caller);
    if (!document) throw notFound();
    return document;
  }

  /**
   * Opens a report for a request of law enforcement. The log holds the look at the report, and that it was for
   * this request, before the report is given out. Every call is a look; under one Idempotency-Key they are one
   * disclosure.
   * @throws {DomainError} `not_found` unless it is such a request; `conflict` once it is closed; see
   *   {@link ReportService.reveal}.
   */
  async disclose(id: string, reportId: string, envelope: CommandEnvelope) {
    const { handler, reports } = this.#deps;
    const aggregate = inquiryAggregate(await this.#known(id));
    // Whoever may not disclose leaves no look at the report.
    requireDisclosable((await handler.load(aggregate))?.state);
    const { report, revision } = await reports.reveal(reportId, newEnvelope(envelope.caller));
    const command = { type: "DiscloseReport", reportId, revision } as const;
    const { position } = await handler.execute(aggregate, command, envelope);
    return { report, position };
  }

  async #execute(
    id: string,
    command: InquiryCommand,
    envelope: CommandEnvelope,
  ): Promise<InquiryStanding> {
    const aggregate = inquiryAggregate(await this.#known(id));
    const { state, position } = await this.#deps.handler.execute(aggregate, command, envelope);
    return { id, ...standingOf(state), position };
  }

  async #known(id: string): Promise<KnownInquiry> {
    const known = await this.#deps.known.withId(id);
    if (known?.family !== "inquiry") throw notFound();
    return known;
  }
}

function standingOf(state: InquiryState | undefined) {
  if (!state) throw notFound();
  return { status: state.status, status_revision: state.statusRevision };
}
