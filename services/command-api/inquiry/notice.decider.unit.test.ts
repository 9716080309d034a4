import { describe, it } from "vitest";
import type { InquiryEvent } from "#contracts/events/index.ts";
import { evolveInquiry } from "#contracts/events/inquiry/inquiry-fold.ts";
import { MAX_TARGETS } from "#contracts/notice/notice-rules.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideInquiry } from "./inquiry.decider.ts";

const NOTE = "55555555-5555-4555-8555-555555555555";
const REPORT = "66666666-6666-4666-8666-666666666666";
const COPY = "77777777-7777-4777-8777-777777777777";
const COUNTER = "88888888-8888-4888-8888-888888888888";
const notices = givenFor({
  decide: decideInquiry("notice"),
  evolve: evolveInquiry,
  moment: { newId: NOTE, now: "2026-12-08T05:00:00.000Z" },
});

const sender = { name: "Ann Lee", email: "ann@acme.example", answers: [] };
const received = (kind: string): InquiryEvent => ({
  type: "NoticeReceived",
  data: { kind, sender },
});
const notice = received("takedown");
const counter = received("counter_notice");
const linked: InquiryEvent = { type: "NoticeLinked", data: { report_id: REPORT } };
const granted: InquiryEvent = { type: "NoticeGranted", data: { outcome: "taken_down" } };
const refused: InquiryEvent = { type: "NoticeRefused", data: { reason_code: "unfounded" } };
const countered: InquiryEvent = {
  type: "NoticeCountered",
  data: { counter_notice_id: COUNTER },
};
const passedOn: InquiryEvent = { type: "CounterNoticeLinked", data: { notice_id: COUNTER } };
const erased: InquiryEvent = { type: "NoticeErased", data: { by: "operator" } };

const link = (revision: number, copy_id?: string) =>
  ({ type: "LinkNotice", target: { report_id: REPORT, copy_id }, revision }) as const;
const refuse = (revision: number, reasonCode: "unfounded" | "court_action" | "not_owner") =>
  ({ type: "RefuseNotice", reasonCode, reason: "Seen before", revision }) as const;
const grant = (revision: number) => ({ type: "GrantNotice", reason: undefined, revision }) as const;
const lift = (revision: number | undefined) =>
  ({ type: "LiftNotice", by: "withdrawn", revision }) as const;
const restore = (revision: number, notBefore: string) =>
  ({ type: "GrantCounterNotice", notBefore, revision }) as const;

describe("a notice", () => {
  it("is linked to reports and pictures, each once, up to a limit", () => {
    notices(notice).when(link(0)).gives(linked);
    notices(notice, linked).when(link(1)).gives();
    const picture = { report_id: REPORT, copy_id: COPY };
    notices(notice, linked).when(link(1, COPY)).gives({ type: "NoticeLinked", data: picture });
    const many = Array.from({ length: MAX_TARGETS }, (_, i): InquiryEvent => {
      const report_id = `${String(i).padStart(8, "0")}-6666-4666-8666-666666666666`;
      return { type: "NoticeLinked", data: { report_id } };
    });
    notices(notice, ...many.slice(1))
      .when(link(MAX_TARGETS - 1))
      .gives(linked);
    notices(notice, ...many)
      .when(link(MAX_TARGETS))
      .isRefused("link_limit");
  });

  it("can lose an existing link", () => {
    const unlink = { ...link(1), type: "UnlinkNotice" } as const;
    const unlinked: InquiryEvent = { type: "NoticeUnlinked", data: { report_id: REPORT } };
    notices(notice, linked).when(unlink).gives(unlinked);
    notices(notice, linked, unlinked)
      .when({ ...unlink, revision: 2 })
      .gives();
    notices(notice, linked, unlinked).when(grant(2)).isRefused("nothing_linked");
  });

  it("is decided once, at the revision that the sender saw", () => {
    notices(notice, linked).when(grant(0)).isRefused("conflict");
    notices(notice, linked).when(grant(1)).gives(granted);
    notices(notice).when(grant(0)).isRefused("nothing_linked");
    for (const end of [granted, refused])
      for (const command of [grant(2), refuse(2, "unfounded"), link(2)])
        notices(notice, linked, end).when(command).isRefused("wrong_status");
  });

  it("is refused for a matching reason, with a text for staff", () => {
    const data = { reason_code: "unfounded", decision: { reason: "Seen before" } };
    notices(notice).when(refuse(0, "unfounded")).gives({ type: "NoticeRefused", data });
    notices(notice).when(refuse(0, "court_action")).isRefused("invalid_request");
    notices(counter).when(refuse(0, "not_owner")).isRefused("invalid_request");
  });

  it("can be lifted once granted, even if erased", () => {
    const lifted: InquiryEvent = { type: "NoticeLifted", data: { by: "withdrawn" } };
    notices(notice, linked).when(lift(1)).isRefused("wrong_status");
    notices(notice, linked, granted).when(lift(2)).gives(lifted);
    notices(notice, linked, granted, erased).when(lift(2)).gives(lifted);
    notices(notice, linked, granted, lifted).when(lift(undefined)).gives();
  });

  it("is lifted without an event if only part of a take-down is left", () => {
    notices(notice, linked, refused).when(lift(2)).gives();
    notices(notice, linked, erased).when(lift(1)).gives();
  });

  it("can be countered while its material is down", () => {
    const command = { type: "CounterNotice", counterNoticeId: COUNTER } as const;
    notices(notice, linked).when(command).isRefused("wrong_status");
    notices(notice, linked, granted).when(command).gives(countered);
    notices(notice, linked, granted, countered).when(command).gives();
  });

  it("accepts nothing once erased or if it doesn't exist", () => {
    for (const each of [notices(notice, linked, erased), notices()])
      for (const command of [link(1), grant(1), refuse(1, "unfounded")])
        each.when(command).isRefused("not_found");
  });
});

describe("deleting a notice or a counter-notice", () => {
  const remove = (revision: number) =>
    ({ type: "DeleteNotice", reasonCode: "spam", revision }) as const;
  const deleted: InquiryEvent = { type: "NoticeErased", data: { by: "spam" } };
  const lifted: InquiryEvent = { type: "NoticeLifted", data: { by: "withdrawn" } };

  it("is allowed once it is refused, lifted or restored, and keeps the reason code", () => {
    notices(notice, refused).when(remove(1)).gives(deleted);
    notices(notice, linked, granted, lifted).when(remove(3)).gives(deleted);
    const restored: InquiryEvent = { type: "NoticeGranted", data: { outcome: "restored" } };
    notices(counter, passedOn, restored).when(remove(2)).gives(deleted);
    notices(counter, refused).when(remove(1)).gives(deleted);
  });

  it("is refused while its sender awaits a decision, or while it hides material", () => {
    notices(notice).when(remove(0)).isRefused("notice_open");
    notices(notice, linked).when(remove(1)).isRefused("notice_open");
    notices(notice, linked, granted).when(remove(2)).isRefused("notice_open");
    notices(notice, linked, granted, countered).when(remove(3)).isRefused("notice_open");
    notices(counter).when(remove(0)).isRefused("notice_open");
    notices(counter, passedOn).when(remove(1)).isRefused("notice_open");
  });

  it("is refused if it has changed or is gone", () => {
    notices(notice, refused).when(remove(0)).isRefused("conflict");
    notices(notice, refused, deleted).when(remove(1)).isRefused("not_found");
    notices().when(remove(0)).isRefused("not_found");
  });
});

describe("a counter-notice", () => {
  const passOn = { type: "PassOnCounterNotice", noticeId: COUNTER, revision: 0 } as const;

  it("is forwarded once, and restores what the notice hid after the waiting period", () => {
    notices(counter).when(passOn).gives(passedOn);
    notices(counter, passedOn)
      .when({ ...passOn, revision: 1 })
      .isRefused("wrong_status");
    const restored: InquiryEvent = { type: "NoticeGranted", data: { outcome: "restored" } };
    const waiting = notices(counter, passedOn);
    waiting.when(restore(1, "2026-12-08T05:00:00.001Z")).isRefused("too_early");
    waiting.when(restore(1, "2026-12-08T05:00:00.000Z")).gives(restored);
    notices(counter).when(restore(0, "2026-12-08T05:00:00.000Z")).isRefused("wrong_status");
  });

  it("can be refused because of court action, even after it was forwarded", () => {
    const data = { reason_code: "court_action", decision: { reason: "Seen before" } };
    const command = refuse(1, "court_action");
    notices(counter, passedOn).when(command).gives({ type: "NoticeRefused", data });
  });

  it("accepts no notice commands, and a notice no counter-notice commands", () => {
    for (const command of [link(0), grant(0), lift(0)])
      notices(counter).when(command).isRefused("not_found");
    notices(notice).when(passOn).isRefused("not_found");
    notices(notice).when(restore(0, "2026-12-08T05:00:00.000Z")).isRefused("not_found");
  });
});
