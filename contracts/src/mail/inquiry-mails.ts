import type { KindOfMail } from "./kind-of-mail.ts";

/** Mails about a form that somebody sent. Anybody can type an address into it. */
export const INQUIRY_MAILS = {
  inquiry_received: {
    owner: "inquiry",
    capADay: 3,
    isAskedFor: false,
    askedBy: { InquiryReceived: true },
  },
  inquiry_for_desk: {
    owner: "inquiry",
    capADay: 0,
    isAskedFor: true,
    askedBy: { InquiryReceived: true },
    isForDesk: true,
  },
  notice_received: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { NoticeReceived: true },
  },
  notice_for_desk: {
    owner: "notice",
    capADay: 0,
    isAskedFor: true,
    askedBy: { NoticeReceived: true },
    isForDesk: true,
  },
  // Senders of notices and counter-notices are told what was decided.
  notice_refused: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { NoticeRefused: true },
  },
  notice_granted: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { NoticeGranted: ({ outcome }) => outcome === "taken_down" },
  },
  notice_countered: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { NoticeCountered: true },
  },
  notice_lifted: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { NoticeLifted: true },
  },
  counter_notice_passed_on: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { CounterNoticeLinked: true },
  },
  counter_notice_granted: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { NoticeGranted: ({ outcome }) => outcome === "restored" },
  },
} satisfies Readonly<Record<string, KindOfMail>>;
