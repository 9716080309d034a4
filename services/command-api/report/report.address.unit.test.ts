import { expect, it } from "vitest";
import { evolveReport } from "#contracts/events/report/report-fold.ts";
import { MAX_CORRECTIONS } from "#contracts/report/reporter-rules.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  addressCorrected,
  reportDeleted,
  reporterErased,
  reporterNotificationsSet,
  reportSubmitted,
  verificationWithdrawn,
  verifiedByHand,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import { decideReport } from "./report.decider.ts";

const moment = { now: "2026-11-23T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const link = { link_id: moment.newId, expires_at: "2026-11-25T10:00:00.000Z" };
const given = givenFor({ decide: decideReport, evolve: evolveReport, moment });
const submitted = reportSubmitted({ reporter: { reporter_email: "rae@shpo.example" } });
const reporterBlind = { email: "keyed hash of the new one" };
const correct = (email = "rae@shop.example") =>
  ({ type: "CorrectReporterAddress", email, reporterBlind }) as const;

it("a corrected address is sent its own link, and the links sent to the previous address are revoked", () => {
  const former = submitted.type === "ReportSubmitted" && submitted.data.link?.link_id;
  const after = given(submitted, reporterNotificationsSet(false)).when(correct());
  const corrected = {
    type: "ReporterAddressCorrected",
    data: { link, reporter: { email: "rae@shop.example", blind: reporterBlind } },
  } as const;
  after.gives(corrected);
  const { state } = given(submitted, reporterNotificationsSet(false), corrected);
  expect(state).toMatchObject({
    reporter: { reporter_email: "rae@shop.example", reporter_first_name: "Rae" },
    links: [link],
    notified: true,
    corrections: 1,
  });
  given(submitted, corrected)
    .when({ type: "VerifyReport", linkId: String(former) })
    .isRefused("link_invalid");
  given(submitted, corrected)
    .when({ type: "VerifyReport", linkId: link.link_id })
    .gives({ type: "ReportVerifiedByLink", data: { link_id: link.link_id } });
});

it.each([
  ["by its link", verifiedByLink()],
  ["by a moderator", verifiedByHand()],
])("an address that was confirmed %s cannot be corrected", (_, verified) => {
  given(submitted, verified).when(correct()).isRefused("already_verified");
  const { events } = given(submitted, verified, verificationWithdrawn()).when(correct());
  expect(events).toHaveLength(1);
});

it("an address can be corrected a few times, and never to the current one", () => {
  const times = Array.from({ length: MAX_CORRECTIONS }, (_, i) =>
    addressCorrected(`r${i}@s.example`),
  );
  expect(given(submitted, ...times.slice(1)).when(correct()).events).toHaveLength(1);
  given(submitted, ...times)
    .when(correct())
    .isRefused("corrections_used");
  given(submitted).when(correct("Rae@Shpo.example")).isRefused("invalid_request");
});

it("nothing is corrected without a report or a reporter", () => {
  given().when(correct()).isRefused("report_not_found");
  given(submitted, reportDeleted()).when(correct()).isRefused("report_deleted");
  given(submitted, reporterErased()).when(correct()).isRefused("link_invalid");
});
