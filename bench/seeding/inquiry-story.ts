import { type InquiryEvent, type MailEvent, streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import type { Act } from "./history.ts";
import type { Random } from "./random.ts";

/** Acts of an inquiry and a notice that are sent and erased. */
export function inquiryActs(random: Random, time: string): Act[] {
  const sender = {
    name: "Uma Reed",
    email: "uma@mailbox.example",
    answers: [{ field: "useCase", text: "Checks orders before they ship." }],
  };
  const write = (
    stream: string,
    subject: string,
    event: InquiryEvent | MailEvent,
    destroys: string[],
  ): Act => ({
    stream,
    events: [event],
    actor: { id: "visitor", role: "visitor" },
    time,
    needs: [subject],
    destroys,
  });
  const [inquiry, notice] = [random.uuid(), random.uuid()];
  const [one, other] = [subjects.inquiry(inquiry), subjects.inquiry(notice)];
  const by = "retention";
  const resent: MailEvent = {
    type: "MailResent",
    data: { mail_id: `mail-${random.uuid()}-approved`, kind: "approved" },
  };
  const target = { report_id: random.uuid() };
  const answered = random.uuid();
  const decisions: readonly InquiryEvent[] = [
    { type: "NoticeLinked", data: { ...target, copy_id: random.uuid() } },
    { type: "NoticeUnlinked", data: target },
    {
      type: "NoticeNoteAdded",
      data: { note_id: random.uuid(), note: { text: "Asked for the book." } },
    },
    { type: "NoticeGranted", data: { outcome: "taken_down", decision: { reason: "A book." } } },
    { type: "NoticeCountered", data: { counter_notice_id: answered } },
    { type: "NoticeLifted", data: { by: "counter_notice", counter_notice_id: answered } },
    { type: "CounterNoticeLinked", data: { notice_id: answered } },
    { type: "NoticeRefused", data: { reason_code: "unfounded" } },
  ];
  return [
    write(
      streams.inquiry(inquiry),
      one,
      { type: "InquiryReceived", data: { kind: "enterprise", sender } },
      [],
    ),
    write(streams.inquiry(inquiry), one, { type: "InquiryViewed", data: {} }, []),
    write(streams.inquiry(inquiry), one, { type: "InquiryDocumentViewed", data: {} }, []),
    write(
      streams.inquiry(inquiry),
      one,
      { type: "InquiryStatusChanged", data: { from: "new", to: "answered" } },
      [],
    ),
    write(
      streams.inquiry(inquiry),
      one,
      {
        type: "InquiryNoteAdded",
        data: { note_id: random.uuid(), note: { text: "Asked for the order." } },
      },
      [],
    ),
    write(
      streams.inquiry(inquiry),
      one,
      { type: "ReportDisclosed", data: { report_id: random.uuid(), revision: 0 } },
      [],
    ),
    write(streams.mail(random.uuid()), one, resent, []),
    write(streams.inquiry(inquiry), one, { type: "InquiryErased", data: { by } }, [one]),
    write(
      streams.notice(notice),
      other,
      { type: "NoticeReceived", data: { kind: "takedown", sender } },
      [],
    ),
    write(streams.notice(notice), other, { type: "NoticeViewed", data: {} }, []),
    ...decisions.map((event) => write(streams.notice(notice), other, event, [])),
    write(streams.notice(notice), other, { type: "NoticeErased", data: { by } }, [other]),
  ];
}
