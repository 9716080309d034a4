import { describe, expect, it } from "vitest";
import type { ReportType } from "#contracts/report/words.ts";
import { editGroups } from "./edit-fields.ts";

const groupsOf = (type: ReportType) =>
  editGroups(type).map(({ title, fields }) => [title, fields.map(({ name }) => name).join(" ")]);

const PERSON =
  "first_name middle_initial last_name email phone street_address city state zip country ip_address";
const REPORTER =
  "reporter_first_name reporter_last_name reporter_email reporter_phone reporter_company_name public_username";

/**
 * The expected fields are spelled out, so that the test notices when a row of the catalogue moves
 * one.
 */
describe("the console's edit form", () => {
  it("enters each field of a chargeback in its group", () => {
    expect(groupsOf("chargeback")).toEqual([
      ["Status", "status verified resolution_status chargeback_reason"],
      ["Reported person", PERSON],
      [
        "What happened",
        "title description item_purchased tracking_number shipping_status transaction_date chargeback_date notes",
      ],
      ["Amounts", "currency amount chargeback_fee other_fees"],
      ["Card", "first_6 last_4"],
      ["Reporter", REPORTER],
    ]);
  });

  it("enters each field of a bad check in its group", () => {
    expect(groupsOf("bad_check")).toEqual([
      ["Status", "status verified resolution_status check_reason"],
      ["Reported person", PERSON],
      [
        "What happened",
        "title description item_purchased tracking_number shipping_status transaction_date notes",
      ],
      ["Amounts", "currency check_amount other_fees"],
      ["Check", "check_number check_date bank_name bank_routing bank_account"],
      ["Reporter", REPORTER],
    ]);
  });
});
