import { streams } from "#contracts/events/index.ts";
import { evolveInquiry, type InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import { subjects } from "#contracts/sealed.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import type { InquiryCommand } from "./inquiry.commands.ts";
import { decideInquiry } from "./inquiry.decider.ts";
import type { KnownInquiry } from "./inquiry.store.ts";

/** The stream, key, fold and decider of one inquiry or notice. */
export function inquiryAggregate({
  id,
  family,
}: KnownInquiry): Aggregate<InquiryState, InquiryCommand> {
  const sender = subjects.inquiry(id);
  return {
    stream: streams[family](id),
    subjects: { sender },
    bodySubjects: [sender],
    clientSubject: (caller) => ownSubject(caller) ?? sender,
    newSubjects: () => [{ subject: sender }],
    evolve: evolveInquiry,
    decide: decideInquiry(family),
  };
}
