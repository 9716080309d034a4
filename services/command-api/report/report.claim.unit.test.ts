import { expect, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport } from "#contracts/events/report/report-fold.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  addressCorrected,
  reportClaimed,
  reportDeleted,
  reportEdited,
  reporterErased,
  reportSubmitted,
  verificationWithdrawn,
  verifiedByHand,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import { decideReport } from "./report.decider.ts";

const moment = { now: "2026-11-23T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const given = givenFor({ decide: decideReport, evolve: evolveReport, moment });
const ANN = "22222222-2222-4222-8222-222222222222";
const BEA = "33333333-3333-4333-8333-333333333333";

const claim = (changes: object = {}) => ({
  type: "ClaimReport" as const,
  accountId: ANN,
  email: "rae@shop.example",
  isVisitors: true,
  ...changes,
});
const submitted = reportSubmitted();
const corrected = addressCorrected("bea@shop.example");
const confirmed = [submitted, verifiedByLink()];

it("an account can claim a report from its address, however it is spelled", () => {
  given(...confirmed)
    .when(claim())
    .gives(reportClaimed(ANN));
  given(...confirmed)
    .when(claim({ email: " RAE@Shop.example" }))
    .gives(reportClaimed(ANN));
});

it("claiming again changes nothing", () => {
  given(...confirmed, reportClaimed(ANN))
    .when(claim())
    .gives();
});

it.each<[string, readonly ReportEvent[], object]>([
  ["that was never submitted", [], {}],
  ["with an unconfirmed address", [submitted], {}],
  ["that a moderator vouched for", [submitted, verifiedByHand()], {}],
  ["whose confirmation was withdrawn", [...confirmed, verificationWithdrawn()], {}],
  [
    "whose address was corrected and is not confirmed",
    [submitted, corrected],
    { email: "bea@shop.example" },
  ],
  ["from its previous address after a correction", [submitted, corrected, verifiedByLink()], {}],
  ["of another address", confirmed, { email: "bea@shop.example" }],
  ["that an account or the sample loader submitted", confirmed, { isVisitors: false }],
  ["that another account claimed", [...confirmed, reportClaimed(BEA)], {}],
  ["whose reporter was erased", [...confirmed, reporterErased()], {}],
  [
    "whose reporter was erased after the claim",
    [...confirmed, reportClaimed(ANN), reporterErased()],
    {},
  ],
  ["that was deleted", [...confirmed, reportDeleted()], {}],
  ["that was deleted after the claim", [...confirmed, reportClaimed(ANN), reportDeleted()], {}],
])("no one can claim a report %s", (_which, events, changes) => {
  given(...events)
    .when(claim(changes))
    .isRefused("report_not_found");
});

it("an address that staff enter in a claimed report doesn't change its owner", () => {
  const edited = reportEdited({ reporter: { set: { reporter_email: "bea@shop.example" } } });
  const events = [...confirmed, reportClaimed(ANN), edited, verifiedByLink()];
  given(...events)
    .when(claim({ accountId: BEA, email: "bea@shop.example" }))
    .isRefused("report_not_found");
  expect(given(...events).state?.claimed_by).toBe(ANN);
});
