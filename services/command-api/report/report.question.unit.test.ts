import { describe, expect, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport } from "#contracts/events/report/report-fold.ts";
import { MAX_QUESTIONS } from "#contracts/report/reporter-rules.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  questionWithdrawn,
  reportApproved,
  reportDeleted,
  reportEdited,
  reporterAnswered,
  reporterAsked,
  reporterErased,
  reportRejected,
  reportStatusSet,
  reportSubmitted,
  verificationWithdrawn,
  verifiedByHand,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import { decideReport } from "./report.decider.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const moment = { now: "2026-11-23T10:00:00.000Z", newId: ID };
const late = { ...moment, now: "2026-12-23T10:00:00.000Z" };
const given = givenFor({ decide: decideReport, evolve: evolveReport, moment });
const link = { link_id: ID, expires_at: late.now };
const question = "Which carrier delivered it?";
const ask = { type: "AskReporter", body: { question } } as const;
const withdraw = { type: "WithdrawQuestion", body: {} } as const;
const answer = { type: "AnswerQuestion", questionId: ID, answer: "The post." } as const;

const confirmed = [reportSubmitted(), verifiedByLink()];
const asked = reporterAsked(ID, late.now);
const stateOf = (...events: ReportEvent[]) =>
  given(...confirmed, ...events).state?.questions.at(-1);

describe("asking the reporter", () => {
  it("is an event with a link that can be answered for 30 days", () => {
    const event = { type: "ReporterAsked", data: { link, personal: { question } } } as const;
    given(...confirmed)
      .when(ask)
      .gives(event);
    given(...confirmed, reportStatusSet("under_review"))
      .when(ask)
      .gives(event);
  });

  it.each<[string, readonly ReportEvent[]]>([
    ["with an unconfirmed address", [reportSubmitted()]],
    ["whose address a moderator vouched for", [reportSubmitted(), verifiedByHand()]],
    ["that is approved", [...confirmed, reportApproved()]],
    ["that is rejected", [...confirmed, reportRejected()]],
    ["whose reporter is erased", [...confirmed, reporterErased()]],
    ["that waits for an answer", [...confirmed, asked]],
  ])("is refused for a report %s", (_, events) => {
    given(...events)
      .when(ask)
      .isRefused("not_askable");
  });

  it("can be repeated after an answer, a withdrawal or an expired link", () => {
    for (const events of [[reporterAnswered(ID)], [questionWithdrawn(ID)]])
      expect(given(...confirmed, asked, ...events).when(ask).events).toHaveLength(1);
    expect(given(...confirmed, asked).when(ask, late).events).toHaveLength(1);
    const again = given(...confirmed, asked, reporterAsked());
    expect(again.state?.questions.map(({ state }) => state)).toEqual(["closed", "open"]);
  });

  it("is limited to a maximum number of questions", () => {
    const ids = Array.from({ length: MAX_QUESTIONS }, (_, i) => ID.replace(/1$/, String(i % 10)));
    const events = ids.flatMap((id) => [reporterAsked(id), reporterAnswered(id)]);
    given(...confirmed, ...events)
      .when(ask)
      .isRefused("not_askable");
    expect(given(...confirmed, ...events.slice(2)).when(ask).events).toHaveLength(1);
  });

  it("can be withdrawn only while the question is open", () => {
    given(...confirmed, asked)
      .when(withdraw)
      .gives(questionWithdrawn(ID));
    given(...confirmed)
      .when(withdraw)
      .isRefused("not_askable");
    given(...confirmed, asked, questionWithdrawn(ID))
      .when(withdraw)
      .isRefused("not_askable");
  });
});

describe("answering", () => {
  it("is accepted once", () => {
    const answered = reporterAnswered(ID, "The post.");
    given(...confirmed, asked)
      .when(answer)
      .gives(answered);
    expect(stateOf(asked, answered)).toMatchObject({ state: "answered", answer: "The post." });
    given(...confirmed, asked, answered)
      .when(answer)
      .isRefused("question_closed");
  });

  it.each<[string, ReportEvent]>([
    ["a withdrawal", questionWithdrawn(ID)],
    ["an approval", reportApproved()],
    ["a rejection", reportRejected()],
    ["another address", reportEdited({ reporter: { set: { reporter_email: "r@b.example" } } })],
    ["a withdrawn confirmation", verificationWithdrawn()],
  ])("is too late after %s", (_, event) => {
    given(...confirmed, asked, event)
      .when(answer)
      .isRefused("question_closed");
  });

  it("is still possible while the report is put under review or edited otherwise", () => {
    const edited = reportEdited({ personal: { set: { title: "Other" } } });
    for (const event of [reportStatusSet("under_review"), edited])
      expect(given(...confirmed, asked, event).when(answer).events).toHaveLength(1);
  });

  it("requires an open question of this report", () => {
    given(...confirmed)
      .when(answer)
      .isRefused("link_invalid");
    given(...confirmed, asked)
      .when(answer, late)
      .isRefused("link_invalid");
    given(...confirmed, asked, reporterErased())
      .when(answer)
      .isRefused("link_invalid");
    given(...confirmed, asked, reportDeleted())
      .when(answer)
      .isRefused("link_invalid");
    given().when(answer).isRefused("link_invalid");
  });

  it("is erased with the reporter", () => {
    const erased = stateOf(asked, reporterAnswered(ID), reporterErased());
    expect(erased).toMatchObject({ state: "answered", question, answer: null });
  });
});
