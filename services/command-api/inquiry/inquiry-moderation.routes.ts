import { type Static, type TSchema, Type } from "typebox";
import type { InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import {
  ADMIN_INQUIRY,
  AddInquiryNote,
  AnswerInquiry,
  ChangeInquiryStatus,
  DiscloseReply,
  DiscloseReport,
  InquiryStateReply,
  type RevealedInquiry,
  RevealInquiryReply,
} from "#contracts/http/admin-inquiries.ts";
import {
  ADMIN_NOTICE,
  AddNoticeNote,
  DeleteNotice,
  LiftNotice,
  LinkNotice,
  NoticeStateReply,
  PassOnCounterNotice,
  RefuseNotice,
  RestoreNotice,
  RevealNoticeReply,
  TakeDownNotice,
} from "#contracts/http/admin-notices.ts";
import { answersText, repliesText } from "#contracts/inquiry/inquiry-forms.ts";
import type { InquiryStatus } from "#contracts/inquiry/inquiry-status.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { ANSWER_BOUNDS } from "#http/bounds.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { sendFile } from "../evidence/file-bodies.ts";
import { commandsOf, trimTexts } from "../kernel/command-route.ts";
import { type Caller, type CommandEnvelope, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import type { ReportService } from "../report/report.service.ts";
import type { WriteSide } from "../write-side.ts";
import { type InquiryCommand, notFound, requireDisclosable } from "./inquiry.decider.ts";
import type { KnownInquiry, OpenedDocument } from "./inquiry.service.ts";
import { inquiryAggregate } from "./inquiry-documents.ts";

const Id = strict({ id: ReportId });
const staff = { roles: ["admin"], params: Id } as const;

/** Adds the routes with which admins handle inquiries. */
export function inquiryModerationRoutes(app: ServiceInstance, side: WriteSide): void {
  const moderation = new InquiryModeration(side);
  const command = commandsOf(app, "inquiries");
  const decision = decisionsOf(app, "inquiries", ADMIN_INQUIRY, InquiryStateReply);
  decision({
    path: "status",
    summary: "Change the status of an inquiry",
    body: ChangeInquiryStatus,
    message: "Status changed",
    run: (id, body, envelope) =>
      moderation.execute(id, { type: "ChangeInquiryStatus", ...body }, envelope),
  });
  decision({
    path: "notes",
    summary: "Add an encrypted note to an inquiry",
    body: AddInquiryNote,
    tidy: [trimTexts],
    message: "Note added",
    run: (id, body, envelope) =>
      moderation.execute(id, { type: "AddInquiryNote", ...body }, envelope),
  });
  decision({
    path: "answer",
    summary: "Answer an inquiry by email; the sender can reply once with its link",
    body: AnswerInquiry,
    bounds: ANSWER_BOUNDS,
    tidy: [trimTexts],
    message: "Answer sent",
    run: (id, body, envelope) =>
      moderation.execute(id, { type: "AnswerInquiry", ...body }, envelope),
  });
  command("POST", `${ADMIN_INQUIRY}/reveal`, {
    ...staff,
    limit: "reveal",
    proof: true,
    summary: "Open the data of an inquiry; logged first",
    body: strict({}),
    reply: RevealInquiryReply,
    async run(request) {
      const { answers, position } = await moderation.reveal(request.params.id, request.caller);
      return succeed(answers, { position });
    },
  });
  command("POST", `${ADMIN_INQUIRY}/disclose`, {
    ...staff,
    limit: "reveal",
    proof: true,
    summary: "Open a report for a law enforcement request; logged first",
    body: DiscloseReport,
    reply: DiscloseReply,
    async run(request) {
      const { params, body } = request;
      const envelope = request.envelope(params.id, body);
      const { report, position } = await moderation.disclose(params.id, body.report_id, envelope);
      return succeed(report, { position });
    },
  });
  app.route({
    method: "POST",
    url: `${ADMIN_INQUIRY}/document`,
    config: { roles: ["admin"], limit: "reveal", proof: true },
    schema: {
      tags: ["inquiries"],
      summary: "Open the document of an inquiry; logged first",
      params: Id,
      body: strict({}),
      produces: ["application/octet-stream"],
      response: { 200: Type.Any() },
    },
    handler: async (request, reply) => {
      const file = await moderation.document(request.params.id, request.caller);
      reply.at(file.position);
      return sendFile(reply, file);
    },
  });
}

/** Adds routes for decisions, which reply with the new state of the inquiry or notice. */
function decisionsOf<R extends TSchema>(
  app: ServiceInstance,
  area: string,
  base: string,
  reply: R,
) {
  const command = commandsOf(app, area);
  return <B extends TSchema>(row: {
    readonly path: string;
    readonly summary: string;
    readonly body: B;
    readonly message: string;
    run(
      id: string,
      body: Static<B>,
      envelope: CommandEnvelope,
    ): Promise<{ readonly position: string }>;
    readonly bounds?: typeof ANSWER_BOUNDS;
    readonly tidy?: (typeof trimTexts)[];
    readonly proof?: true;
  }): void => {
    const { path, message, run, ...rest } = row;
    command("POST", `${base}/${path}`, {
      ...staff,
      ...rest,
      limit: "write",
      reply,
      async run(request) {
        const { id } = request.params;
        const sent = request.body as Static<B>;
        const envelope = request.envelope(id, sent);
        const { position, ...changed } = await run(id, sent, envelope);
        return succeed(changed, { message, position }) as Static<R>;
      },
    });
  };
}

interface InquiryStanding {
  readonly id: string;
  readonly status: InquiryStatus;
  readonly status_revision: number;
  readonly position: string;
}

/** How staff handle inquiries. Every method throws {@link notFound} for an unknown inquiry. */
class InquiryModeration extends Service<
  Pick<WriteSide, "handler" | "known" | "inquiries" | "reports">
> {
  /** @throws {DomainError} the decider's refusal. */
  async execute(
    id: string,
    command: InquiryCommand,
    envelope: CommandEnvelope,
  ): Promise<InquiryStanding> {
    const aggregate = inquiryAggregate(await this.#known(id));
    const { state, position } = await this.deps.handler.execute(aggregate, command, envelope);
    return { id, ...stateOf(state), position };
  }

  /** Returns what the sender wrote, recorded first. Every call is recorded, because every call shows it. */
  async reveal(
    id: string,
    caller: Caller,
  ): Promise<{ readonly answers: RevealedInquiry; readonly position: string }> {
    const aggregate = inquiryAggregate(await this.#known(id));
    const command = { type: "ViewInquiry" } as const;
    const { handler } = this.deps;
    const { state, position } = await handler.execute(aggregate, command, newEnvelope(caller));
    if (!state?.kind || !state.sender) throw notFound();
    const answers = [...answersText(state.kind, state.sender), ...repliesText(state.answers)];
    return { answers, position };
  }

  /** Opens the attached document after recording the access. */
  async document(id: string, caller: Caller): Promise<OpenedDocument> {
    const document = await this.deps.inquiries.openDocumentOf(await this.#known(id), caller);
    if (!document) throw notFound();
    return document;
  }

  /**
   * Opens a report for a law enforcement request. Before returning it, logs the access to the report and that it
   * was for this request. Every call records an access; calls with the same Idempotency-Key count as one
   * disclosure.
   * @throws {DomainError} `not_found` for any other inquiry; `inquiry_closed`; see {@link ReportService.reveal}.
   */
  async disclose(id: string, reportId: string, envelope: CommandEnvelope) {
    const { handler, reports } = this.deps;
    const aggregate = inquiryAggregate(await this.#known(id));
    // Check first, so that a refused disclosure records no access to the report.
    requireDisclosable((await handler.load(aggregate))?.state);
    const look = newEnvelope(envelope.caller);
    const { report, revision } = await reports.reveal(reportId, look, false);
    const command = { type: "DiscloseReport", reportId, revision } as const;
    const { position } = await handler.execute(aggregate, command, envelope);
    return { report, position };
  }

  async #known(id: string): Promise<KnownInquiry> {
    const known = await this.deps.known.withId(id);
    if (known?.family !== "inquiry") throw notFound();
    return known;
  }
}

function stateOf(state: InquiryState | undefined) {
  if (!state) throw notFound();
  return { status: state.status, status_revision: state.statusRevision };
}

/** Adds the routes with which admins handle DMCA notices and counter-notices. */
export function noticeModerationRoutes(
  app: ServiceInstance,
  { noticeModeration }: WriteSide,
): void {
  const command = commandsOf(app, "notices");
  const decision = decisionsOf(app, "notices", ADMIN_NOTICE, NoticeStateReply);
  decision({
    path: "link",
    summary: "Link a notice to a report, or to a published picture of one",
    body: LinkNotice,
    message: "Linked",
    run: (id, body, envelope) => noticeModeration.link(id, body, envelope),
  });
  decision({
    path: "unlink",
    summary: "Unlink a report or picture from a notice",
    body: LinkNotice,
    message: "Unlinked",
    run: (id, body, envelope) => noticeModeration.unlink(id, body, envelope),
  });
  decision({
    path: "refuse",
    summary: "Refuse a notice or a counter-notice; emails its sender the reason",
    body: RefuseNotice,
    message: "Refused",
    run: (id, body, envelope) => noticeModeration.refuse(id, body, envelope),
  });
  decision({
    path: "take-down",
    summary: "Take down what a notice is linked to: puts reports under review and hides pictures",
    body: TakeDownNotice,
    message: "Taken down",
    run: (id, body, envelope) => noticeModeration.takeDown(id, body, envelope),
  });
  decision({
    path: "lift",
    summary: "Restore what a notice took down, without a counter-notice",
    body: LiftNotice,
    message: "Restored",
    run: (id, body, envelope) => noticeModeration.lift(id, body, envelope),
  });
  decision({
    path: "pass-on",
    summary: "Forward a counter-notice to the sender of the notice",
    body: PassOnCounterNotice,
    message: "Forwarded",
    run: (id, body, envelope) => noticeModeration.passOn(id, body, envelope),
  });
  decision({
    path: "restore",
    summary: "Restore the material of a counter-notice after the waiting period",
    body: RestoreNotice,
    message: "Restored",
    run: (id, body, envelope) => noticeModeration.restore(id, body, envelope),
  });
  decision({
    path: "notes",
    summary: "Add an encrypted note to a notice",
    body: AddNoticeNote,
    message: "Note added",
    tidy: [trimTexts],
    run: (id, { text }, envelope) => noticeModeration.addNote(id, text, envelope),
  });
  decision({
    path: "delete",
    summary: "Erase the data and notes of a closed notice",
    body: DeleteNotice,
    message: "Notice deleted",
    proof: true,
    run: (id, body, envelope) => noticeModeration.delete(id, body, envelope),
  });
  command("POST", `${ADMIN_NOTICE}/reveal`, {
    ...staff,
    limit: "reveal",
    proof: true,
    summary: "Open the data of a notice; logged first",
    body: strict({}),
    reply: RevealNoticeReply,
    async run(request) {
      const { answers, position } = await noticeModeration.reveal(
        request.params.id,
        request.caller,
      );
      return succeed(answers, { position });
    },
  });
}
