import { streams } from "#contracts/events/index.ts";
import { evolveInquiry, type InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import { subjects } from "#contracts/sealed.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import {
  decideInquiry,
  type InquiryCommand,
  type PreparedInquiryCommand,
} from "./inquiry.decider.ts";
import type { KnownInquiry } from "./inquiry.store.ts";
import type { InquiryDocuments } from "./inquiry-documents.ts";

/**
 * The stream, key, fold and decider of one inquiry or notice.
 * @param documents where one is sent that may have a file.
 */
export function inquiryAggregate(
  { id, family }: KnownInquiry,
  documents?: Pick<InquiryDocuments, "take">,
): Aggregate<InquiryState, InquiryCommand, PreparedInquiryCommand> {
  const sender = subjects.inquiry(id);
  return {
    stream: streams[family](id),
    subjects: { sender, note: sender, decision: sender },
    bodySubjects: [sender],
    clientSubject: (caller) => ownSubject(caller) ?? sender,
    newSubjects: () => [{ subject: sender }],
    evolve: evolveInquiry,
    async prepare(state, command, { now }) {
      const upload = command.type === "SendInquiry" ? command.upload : undefined;
      if (!upload || state || !documents) return command;
      return { ...command, document: await documents.take(id, upload, now) };
    },
    decide: decideInquiry(family),
  };
}
