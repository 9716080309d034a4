import { type InquiryEvent, streams } from "#contracts/events/index.ts";
import { evolveInquiry, type InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import type { OneTimeLink } from "#contracts/events/one-time-link.ts";
import { answersText, caseNumber, inquiryForms } from "#contracts/inquiry/inquiry-forms.ts";
import { type Inbox, type MailKind, mailKinds } from "#contracts/mail/mail-kinds.ts";
import { backDays } from "#contracts/notice/notice-clock.ts";
import { refusalSentence } from "#contracts/notice/notice-rules.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { openStream, type StreamDeps } from "#vault/open-stream.ts";
import type { MailToWrite } from "./outgoing-mail.ts";
import type { CaseDetails } from "./template-values.ts";

interface Deps extends StreamDeps {
  /** Addresses of the registry's own inboxes. */
  readonly inboxes: Readonly<Record<Inbox, string>>;
}

/** Recipient and contents of an email about an inquiry or a notice. */
export interface InquiryMail {
  readonly to: string;
  readonly inbox?: Inbox;
  readonly words: CaseDetails;
  /** One-time link for replying to an answer. */
  readonly link?: OneTimeLink;
}

/** Reads an inquiry or notice from the log. Only the inbox gets the sender's text. */
export async function readInquiryMail(
  mail: MailToWrite,
  deps: Deps,
): Promise<InquiryMail | { readonly drop: "erased" | "deleted" | "superseded" }> {
  const { owner, isForInbox = false } = mailKinds[mail.kind];
  const stream = streamOf(owner, mail.ownerId);
  const { events } = await openStream<InquiryEvent>(stream, deps);
  const event = events[mail.revision]?.event;
  const receivedAt = events[0]?.stored.metadata.time;
  const asking = event && receivedAt ? { event, receivedAt } : undefined;
  const state = events.reduce<InquiryState | undefined>(
    (before, each) => evolveInquiry(before, each.event),
    undefined,
  );
  if (!state) return { drop: "deleted" };
  const { kind, sender } = state;
  if (!sender) return { drop: "erased" };
  if (!kind) return { drop: "superseded" };
  const { inbox, promise, title } = inquiryForms[kind];
  const words = { title, promise, number: caseNumber(kind, mail.ownerId) };
  if (mail.kind === "inquiry_answered") return answerMail(asking, sender.email, words);
  return isForInbox
    ? { to: deps.inboxes[inbox], inbox, words: { ...words, answers: answersText(kind, sender) } }
    : { to: sender.email, words: { ...words, ...(await decisionWords(asking, deps.store)) } };
}

/** Staff's answer, which is sent even if the inquiry was closed in the meantime. */
function answerMail(
  asking: Asking | undefined,
  to: string,
  words: CaseDetails,
): InquiryMail | { readonly drop: "erased" | "superseded" } {
  if (asking?.event.type !== "InquiryAnswered") return { drop: "superseded" };
  const { link, note } = asking.event.data;
  if (!note) return { drop: "erased" };
  return { to, link, words: { ...words, answer: note.text } };
}

/** The event that triggered an email, and when its notice was received. */
interface Asking {
  readonly event: InquiryEvent;
  readonly receivedAt: string;
}

/** The decision about a notice, in fixed wording. */
async function decisionWords(
  asking: Asking | undefined,
  store: Deps["store"],
): Promise<Partial<CaseDetails>> {
  switch (asking?.event.type) {
    case "NoticeRefused":
      return { refusal: refusalSentence(asking.event.data.reason_code) };
    case "CounterNoticeLinked":
      return { back: backDays(new Date(asking.receivedAt)) };
    case "NoticeCountered": {
      const id = asking.event.data.counter_notice_id;
      const counterNumber = caseNumber("counter_notice", id);
      for await (const { metadata } of store.readStream(streams.notice(id), 0, { limit: 1 }))
        return { counterNumber, back: backDays(new Date(metadata.time)) };
      return { counterNumber };
    }
    default:
      return {};
  }
}

/** Reads the case numbers that an inbox's digest lists. @param owners reports, inquiries or notices of a known form. */
export async function readNumbers(
  mailKind: MailKind,
  owners: readonly string[],
  deps: StreamDeps,
): Promise<string[]> {
  const { owner } = mailKinds[mailKind];
  if (owner === "report") return owners.map(reportNumber);
  const numbers: string[] = [];
  for (const id of owners) {
    const { events } = await openStream<InquiryEvent>(streamOf(owner, id), deps, { limit: 1 });
    const { kind } = (events[0] && evolveInquiry(undefined, events[0].event)) ?? {};
    if (kind) numbers.push(caseNumber(kind, id));
  }
  return numbers;
}

function streamOf(owner: string, id: string): string {
  return (owner === "notice" ? streams.notice : streams.inquiry)(id);
}
