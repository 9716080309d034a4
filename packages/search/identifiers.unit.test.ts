import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  normaliseAccount,
  normaliseCard,
  normaliseEmail,
  normalisePhone,
  normaliseStreetZip,
} from "./matching.ts";

describe("normaliseEmail", () => {
  it("ignores case and spaces", () => {
    expect(normaliseEmail("  John.Smith@Example.COM ")).toBe("john.smith@example.com");
  });

  it("distinguishes addresses that may belong to two people", () => {
    expect(normaliseEmail("a+b@example.com")).not.toBe(normaliseEmail("a@example.com"));
    expect(normaliseEmail("a.b@example.com")).not.toBe(normaliseEmail("ab@example.com"));
  });

  it.each([
    "",
    "n/a",
    "john",
    "@example.com",
    "john@",
    "a b@c.de",
    "none@none.com",
    "noemail@x.com",
  ])("returns nothing for %j", (value) => {
    expect(normaliseEmail(value)).toBeUndefined();
  });
});

describe("normalisePhone", () => {
  it.each([
    ["(212) 555-0142", "US", "+12125550142"],
    ["1-212-555-0142", "US", "+12125550142"],
    ["+1 212.555.0142 ext. 9", "UK", "+12125550142"],
    ["２１２５５５０１４２", "US", "+12125550142"],
    ["020 7946 0018", "UK", "+442079460018"],
    ["+44 (0)20 7946 0018", "US", "+442079460018"],
    ["020 7946 0018", "gb", "+442079460018"],
    ["0412 345 678", "AU", "+61412345678"],
    ["416-555-0199", "CA", "+14165550199"],
    ["2125550142", "nowhere", "+12125550142"],
  ])("reads %j in %s as %s", (phone, country, normalised) => {
    expect(normalisePhone(phone, country)).toBe(normalised);
  });

  it.each(["", "n/a", "0000000000", "999-999-9999", "12", "call me"])(
    "returns nothing for %j",
    (value) => {
      expect(normalisePhone(value, "US")).toBeUndefined();
    },
  );
});

describe("normaliseCard", () => {
  it("needs six and four digits", () => {
    expect(normaliseCard("411111", "1234")).toBe("411111-1234");
    for (const [first, last] of [
      ["", "1234"],
      ["411111", ""],
      ["41111", "1234"],
      ["000000", "0000"],
    ]) {
      expect(normaliseCard(first, last)).toBeUndefined();
    }
    expect(normaliseCard(undefined, undefined)).toBeUndefined();
  });
});

describe("normaliseAccount", () => {
  it("ignores spaces, dashes, case and leading zeros", () => {
    expect(normaliseAccount("0001 2345-67")).toBe("1234567");
    expect(normaliseAccount("gb29 nwbk 6016")).toBe("GB29NWBK6016");
  });

  it.each(["", "12", "0000", "000000000", "111111111", "unknown", "n/a"])(
    "returns nothing for %j",
    (value) => {
      expect(normaliseAccount(value)).toBeUndefined();
    },
  );
});

describe("normaliseStreetZip", () => {
  it.each([
    ["123 Main Street, Apt 4", "78701-1234"],
    ["123 MAIN ST. #4", "78701"],
    ["123 Main St Unit 4", " 78701 "],
    ["123  main str apartment 4", "787011234"],
  ])("reads %j, %j alike", (street, zip) => {
    expect(normaliseStreetZip(street, zip)).toBe("123 main st 4|78701");
  });

  it("distinguishes houses, units and ZIPs", () => {
    const keys = [
      ["12 Main St", "78701"],
      ["12 Main St", "78702"],
      ["1 2 Main St", "78701"],
      ["12 Main Ave", "78701"],
      ["12 N Main St", "78701"],
      ["12 Main St Apt 2", "78701"],
    ].map(([street = "", zip = ""]) => normaliseStreetZip(street, zip));
    expect(new Set(keys).size).toBe(6);
  });

  it.each([
    ["", "78701"],
    ["Main Street", "78701"],
    ["unknown", "78701"],
    ["42", "78701"],
    ["12 Main St", ""],
    ["12 Main St", "?"],
  ])("returns nothing for %j, %j: a ZIP alone joins no one", (street, zip) => {
    expect(normaliseStreetZip(street, zip)).toBeUndefined();
  });

  it("knows British and Canadian codes", () => {
    expect(normaliseStreetZip("10 Downing Street", "SW1A 2AA")).toBe("10 downing st|sw1a2aa");
  });
});

describe("every normaliser", () => {
  it("accepts any text without throwing, and is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 60 }), (text) => {
        for (const normalise of [
          normaliseEmail,
          normaliseAccount,
          (value: string) => normalisePhone(value, "US"),
        ]) {
          const once = normalise(text);
          if (once !== undefined) expect(normalise(once)).toBe(once);
        }
        normaliseCard(text, text);
        normaliseStreetZip(text, text);
      }),
    );
  });
});
