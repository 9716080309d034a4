import { describe, expect, it } from "vitest";
import type { ConsoleGroup } from "#contracts/report/catalogue.ts";
import { CHARGEBACK_ORDER, GROUP_TITLES, groupFields } from "./field-groups.ts";

const all = () => true;
const inGroup = (group: ConsoleGroup) => groupFields(group, all).join(" ");

/**
 * The expected fields are spelled out, so that the test notices when a row of the catalogue moves
 * one.
 */
describe("the console's groups", () => {
  it("hold each field in its place, from top to bottom", () => {
    const groups = Object.keys(GROUP_TITLES) as ConsoleGroup[];
    expect(Object.fromEntries(groups.map((group) => [group, inGroup(group)]))).toEqual({
      person:
        "first_name middle_initial last_name email phone street_address city state zip country ip_address",
      matter:
        "report_type title description item_purchased tracking_number shipping_status " +
        "transaction_date chargeback_date chargeback_reason resolution_status notes",
      amounts: "currency amount check_amount chargeback_fee other_fees total_due chargebacks",
      card: "first_6 last_4",
      check: "check_number check_date check_reason bank_name bank_routing bank_account",
      reporter:
        "reporter_first_name reporter_last_name reporter_email reporter_phone reporter_company_name public_username",
    });
  });

  it("hold the fields of an additional chargeback in their order", () => {
    expect(CHARGEBACK_ORDER.join(" ")).toBe(
      "amount date reason chargeback_fee other_fees resolution_status order_id first_6 last_4 total_due notes",
    );
  });
});
