import { DoneReply } from "#contracts/http/envelope.ts";
import {
  AnsweredInquiryReply,
  INQUIRY_ANSWER,
  INQUIRY_REPLY,
  ReadInquiryAnswer,
  ReplyToInquiry,
} from "#contracts/http/inquiries.ts";
import { caseNumber, inquiryForms } from "#contracts/inquiry/inquiry-forms.ts";
import { ROLES } from "#http/actor.ts";
import { ANSWER_BOUNDS } from "#http/bounds.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { createReportLinks } from "#vault/links/one-time-link.ts";
import { commandsOf } from "../kernel/command-route.ts";
import { linkInvalid } from "../report/report.decider.ts";
import type { WriteSide } from "../write-side.ts";
import { openAnswer } from "./inquiry.decider.ts";
import { inquiryAggregate } from "./inquiry-documents.ts";

/** Adds the routes for an inquiry's sender, who has the link from an answer's email. Reading changes nothing. */
export async function inquiryAnswerRoutes(app: ServiceInstance, side: WriteSide): Promise<void> {
  const { handler, known, keys, blind } = side;
  const links = createReportLinks(await keys.liveKey("unsubscribe"), blind);
  const command = commandsOf(app, "inquiries");

  /** @throws {DomainError} `link_invalid`, the same for a forged token and for an erased inquiry. */
  const found = async (token: string, now: string) => {
    const link = links.readAnswerToken(token, now);
    if (!link) throw linkInvalid();
    const inquiry = await known.withId(link.id);
    if (inquiry?.family !== "inquiry") throw linkInvalid();
    return { ...link, aggregate: inquiryAggregate(inquiry) };
  };

  command("POST", INQUIRY_ANSWER, {
    roles: ROLES,
    limit: "report_link",
    summary: "An answer to an inquiry, with the link from the email",
    body: ReadInquiryAnswer,
    reply: AnsweredInquiryReply,
    async run(request) {
      const { now } = request.caller;
      const { id, answerId, aggregate } = await found(request.body.token, now);
      const inquiry = (await handler.load(aggregate))?.state;
      const { state, text, expires_at } = openAnswer(inquiry, answerId, now);
      if (!inquiry?.kind) throw linkInvalid();
      return succeed({
        number: caseNumber(inquiry.kind, id),
        form: inquiryForms[inquiry.kind].title,
        expires_at,
        state,
        ...(state === "open" && text !== null ? { answer: text } : {}),
      });
    },
  });
  command("POST", INQUIRY_REPLY, {
    roles: ROLES,
    limit: "link",
    bounds: ANSWER_BOUNDS,
    summary: "Reply to an answer with the link from the email",
    body: ReplyToInquiry,
    reply: DoneReply,
    async run(request) {
      const { token, reply } = request.body;
      const { id, answerId, aggregate } = await found(token, request.caller.now);
      const envelope = request.envelope(id, { reply });
      const sent = { type: "ReplyToInquiry", answerId, reply } as const;
      const { position } = await handler.execute(aggregate, sent, envelope);
      return done("Thank you. We've received your reply.", position);
    },
  });
}
