import { describe, expect, it } from "vitest";
import { CHARGEBACK_ROWS, REPORT_ROWS } from "../derive/fields.ts";
import { maskPlace } from "./mask-places.ts";
import {
  isFreeText,
  ownNumbers,
  refusedText,
  refusedTexts,
  warnedPlaces,
} from "./private-texts.ts";

const CARD = "4111 1111 1111 1111";

describe("the texts of a report", () => {
  it("are all fields that accept free text", () => {
    const texts = (rows: object) =>
      Object.entries(rows).flatMap(([field, row]) => (isFreeText(row) ? [field] : []));
    const problems = refusedTexts({
      ...Object.fromEntries(Object.keys(REPORT_ROWS).map((field) => [field, `of ${CARD} it`])),
      chargebacks: [
        Object.fromEntries(Object.keys(CHARGEBACK_ROWS).map((field) => [field, `of ${CARD} it`])),
      ],
    });
    expect(problems).toEqual({});
    const without = (rows: object) =>
      Object.fromEntries(
        Object.entries(rows).map(([field, { own }]) => [field, own ? "A-1" : `of ${CARD} it`]),
      );
    const named = refusedTexts({
      ...without(REPORT_ROWS),
      chargebacks: [without(CHARGEBACK_ROWS)],
    });
    expect(Object.keys(named)).toEqual([
      ...texts(REPORT_ROWS).filter((field) => field !== "tracking_number"),
      "chargebacks.0.notes",
    ]);
    expect(texts(REPORT_ROWS)).toEqual(
      expect.arrayContaining(["title", "description", "notes", "public_username", "city"]),
    );
  });

  it("may name the report's own orders and parcels, including those of further chargebacks", () => {
    const report = {
      description: `Order ${CARD}, then 5555 5555 5555 4444`,
      tracking_number: CARD.replaceAll(" ", ""),
      chargebacks: [{ order_id: "5555-5555-5555-4444" }],
    };
    expect(ownNumbers(report)).toEqual(["4111111111111111", "5555-5555-5555-4444"]);
    expect(refusedTexts(report)).toEqual({});
    expect(refusedTexts({ description: report.description })).toHaveProperty("description");
  });

  it("may be of any type, because no schema has checked them", () => {
    expect(refusedTexts({ title: 1, description: null, chargebacks: [null, 4, "x"] })).toEqual({});
    expect(refusedTexts({ chargebacks: "x" })).toEqual({});
  });
});

describe("rejection of a text", () => {
  it.each([
    [`Paid with ${CARD}.`, 'a card number: "4111 … 1111". Remove it.'],
    ["SSN 219-09-9999", 'a Social Security number: "21 … 99". Remove it.'],
    ["NI AB123456C", 'a National Insurance number: "AB … 6C". Remove it.'],
    ["On 5 May the CVV: 123", 'a card security code: "* May the CVV: ***". Remove it.'],
    [
      `${CARD} and 219-09-9999`,
      'a card number: "4111 … 1111" and a Social Security number: "21 … 99". Remove them.',
    ],
    [
      `${CARD}, ${CARD}, ${CARD}, ${CARD}, ${CARD}`,
      'a card number: "4111 … 1111", a card number: "4111 … 1111", a card number: "4111 … 1111" and 2 more. Remove them.',
    ],
  ])("of %j names the place without its digits", (text, problem) => {
    expect(refusedText("Description", text, [])).toBe(
      `Description contains what looks like ${problem}`,
    );
  });

  it("does not occur for details that only trigger a warning", () => {
    expect(refusedText("Title", "jo@example.com, (212) 555-0142, 12 Main Street", [])).toBe(
      undefined,
    );
  });
});

describe("a detail that triggers a warning", () => {
  it.each([
    ["jo@example.com", "j***@***"],
    ["(212) 555-0142", "(***) ***-****"],
    ["GB82 WEST 1234 5698 7654 32", "****5432"],
    ["12 Main Street", "****"],
    ["+1 (212) 555-0142", "(***) ***-****"],
    ["+44 20 7946 0958", "(***) ***-****"],
    ["(02) 9374 4000", "(***) ***-****"],
  ])("is masked in place, and not found again: %s as %s", (place, mask) => {
    const text = `Then ${place}, he said.`;
    const [found] = warnedPlaces(text, []);
    const masked = found && maskPlace(text, found);
    expect(masked).toBe(`Then ${mask}, he said.`);
    expect(warnedPlaces(String(masked), [])).toEqual([]);
  });

  it("is masked individually, an account except for its last four digits", () => {
    const text = "routing 021000021 account 000123456789";
    const [found] = warnedPlaces(text, []);
    expect(found && maskPlace(text, found)).toBe("routing 021000021 account ****6789");
  });
});
