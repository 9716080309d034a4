import { describe, expect, it } from "vitest";
import { findPrivateText } from "./find-private-text.ts";

const found = (text: string, own: readonly string[] = []) =>
  findPrivateText(text, { own }).map(({ kind, start, end }) => [kind, text.slice(start, end)]);

describe("a card number", () => {
  it.each([
    "4111111111111111",
    "4111 1111 1111 1111",
    "4111\u00a01111\u20131111.1111",
    "4111/1111/1111/1111",
    "4111,1111,1111,1111",
    "4111 - 1111 - 1111 - 1111",
    "4111\n1111\n1111\n1111",
    "41 11111 111111 111",
    "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
    "\uff14\uff11\uff11\uff11 1111 1111 1111",
    "\u0664\u0661\u0661\u0661 1111 1111 1111",
    "\u{1d7d2}\u{1d7cf}\u{1d7cf}\u{1d7cf}111111111111",
    "41\u200b11 11\u00ad11 1111 1111",
    "4111\u2060\u20031111\u2003\u20031111 1111",
    "5555 5555 5555 4444",
    "2223003122003222",
    "378282246310005",
    "3782 822463 10005",
    "30569309025904",
    "3056 930902 5904",
    "6011 1111 1111 1117",
    "3530111333300000",
    "6240008631401148",
    "6759649826438453",
    "4222222222222",
    "4000000000000000006",
  ])("is found in %j, whatever separates its digits", (card) => {
    expect(found(`He paid with ${card} in May.`)).toEqual([["card", card]]);
  });

  it.each([
    ["Card 4111 1111 1111 1111 12/27", "4111 1111 1111 1111"],
    ["on 2026-11-28 4111 1111 1111 1111", "4111 1111 1111 1111"],
    ["$1,250.00 4111111111111111", "4111111111111111"],
    ["https://shop.example/pay?card=4111111111111111&x=1", "4111111111111111"],
    ["card#4111111111111111.", "4111111111111111"],
  ])("is found in %j next to other digits", (text, card) => {
    expect(found(text)).toEqual([["card", card]]);
  });

  it("is found each time, even twice in a row", () => {
    const card = "4111 1111 1111 1111";
    expect(found(`${card}, ${card}\n${card} ${card}`)).toEqual(Array(4).fill(["card", card]));
  });

  it.each([
    ["a wrong check digit", "4111111111111112"],
    ["no issuer's prefix", "9111111111111111"],
    ["no issuer's length", "41111111111111"],
    ["its last digits only", "the card ending in 4242, 411111******1111"],
    ["a parcel of UPS", "1Z4111111111111111, 1Z 999 AA1 01 2345 6784"],
    ["a parcel of the USPS", "9400 5555 5555 5555 4444 00 and 9400111899223344556677"],
    ["a parcel of FedEx", "FedEx 123456789012 and 986578788855"],
    ["a parcel of DHL", "JD014600006281230704"],
    ["dates and amounts", "2026-11-28 1,234.56 11/28/2026 09:41:05 $4,111.11 \u20ac1.111,11"],
    ["a list of years and prices", "4111.11 1111.11 111.11"],
    ["an order of Amazon", "111-1234567-1234567"],
    ["an address of a computer", "192.168.100.111 and 10.0.0.1"],
    ["a list of invoices", "invoices 4111, 1111, 1111, 1111"],
    ["numbers of parts", "parts 512-555 0142-512-555"],
    ["a UUID", "4f3c1111-1111-4111-8111-111111111111"],
  ])("is not found in %s", (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it("is not the report's own order or parcel number, however it is written", () => {
    const own = ["4111-1111-1111-1111"];
    expect(found("Order 4111111111111111 came as 4111 1111 1111 1111.", own)).toEqual([]);
    expect(found("Order 4111 1111 1111 1111, card 5555 5555 5555 4444", own)).toEqual([
      ["card", "5555 5555 5555 4444"],
    ]);
    expect(found("Order 4111111111111111", ["4111"])).toHaveLength(1);
  });
});

describe("a security code", () => {
  it.each([
    ["CVV: 123", "123"],
    ["cvc2 1234", "1234"],
    ["The CVC is 737.", "737"],
    ["C.V.V. (737)", "737"],
    ["security code was 4821", "4821"],
    ["the code on the back of the card: 991", "991"],
    ["737 is the CVV", "737"],
    ["used 737 (CVC)", "737"],
    ["his 3-digit code 555", "555"],
    ["CVV=\uff11\uff12\uff13", "\uff11\uff12\uff13"],
  ])("is found in %j", (text, code) => {
    expect(found(text)).toEqual([["cvc", code]]);
  });

  it("is found after a card's number and expiry", () => {
    expect(found("4111 1111 1111 1111, 12/27, 737")).toEqual([
      ["card", "4111 1111 1111 1111"],
      ["cvc", "737"],
    ]);
  });

  it.each([
    "The CVC did not match. 300 units were sent.",
    "CVV check passed 100% of the time",
    "all 300 CVC checks failed",
    "CVC on 2025-01-02",
    "We lost 450 dollars",
    "AVS and CVV matched, order 1234",
  ])("is not found in %j", (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe("a national number", () => {
  it.each([
    ["ssn", "her 219-09-9999 is", "219-09-9999"],
    ["ssn", "her 219 09 9999 is", "219 09 9999"],
    ["ssn", "SSN 219099999", "219099999"],
    ["ssn", "Social Security number: 219.09.9999", "219.09.9999"],
    ["ssn", "social: 219099999", "219099999"],
    ["ssn", "219099999 is her SSN", "219099999"],
    ["ssn", "219\u201109\u20119999", "219\u201109\u20119999"],
    ["ssn", "ITIN 912-70-1234", "912-70-1234"],
    ["sin", "SIN 046 454 286", "046 454 286"],
    ["sin", "his 046-454-286", "046-454-286"],
    ["sin", "social insurance number is 046454286", "046454286"],
    ["tfn", "TFN 123 456 782", "123 456 782"],
    ["tfn", "tax file number 123456782", "123456782"],
    ["tfn", "his 876 543 210", "876 543 210"],
    ["nino", "NI AB 12 34 56 C", "AB 12 34 56 C"],
    ["nino", "ab123456c", "ab123456c"],
    ["nino", "National Insurance AB123456", "AB123456"],
  ])("is found: %s in %j", (kind, text, place) => {
    expect(found(text)).toEqual([[kind, place]]);
  });

  it.each([
    "000-12-3456, 666-12-3456, 900-12-3456, 123-00-4567, 123-45-0000",
    "order 219-09-9999",
    "tracking no. 046 454 286",
    "invoice # 219 09 9999",
    "219099999",
    "046454286",
    "SIN 146 454 287",
    "TFN 123 456 789",
    "BG 12 34 56 A, DA123456A, QQ123456C",
    "order AB123456C",
    "1219-09-99990",
    "it is a sin to keep 123456789",
    "ZIP 98101-1234",
  ])("is not found in %j", (text) => {
    expect(found(text)).toEqual([]);
  });
});

it("doesn't take the report's own order for a national number, unless a word names it", () => {
  const own = ["130-692-544"];
  expect(found("He got 130 692 544.", own)).toEqual([]);
  expect(found("His SIN is 130 692 544.", own)).toEqual([["sin", "130 692 544"]]);
});

describe("details that trigger a warning", () => {
  it.each([
    ["email", "write to jo@example.com.", "jo@example.com"],
    ["email", "<jo.o'neil+x@mail.example.co.uk>", "jo.o'neil+x@mail.example.co.uk"],
    ["email", "j\u00fcrgen\uff20b\u00fccher.example", "j\u00fcrgen\uff20b\u00fccher.example"],
    ["email", "jo (at) example (dot) com", "jo (at) example (dot) com"],
    ["email", "jo at example dot com", "jo at example dot com"],
    ["phone", "call (212) 555-0142 now", "(212) 555-0142"],
    ["phone", "212.555.0142", "212.555.0142"],
    ["phone", "+1 212-555-0142", "+1 212-555-0142"],
    ["phone", "+44 20 7946 0958", "+44 20 7946 0958"],
    ["phone", "+44 (0)20 7946 0958", "+44 (0)20 7946 0958"],
    ["phone", "+4915112345678", "+4915112345678"],
    ["phone", "0044 20 7946 0958", "0044 20 7946 0958"],
    ["phone", "020 7946 0958", "020 7946 0958"],
    ["phone", "07700 900123", "07700 900123"],
    ["phone", "06 12 34 56 78", "06 12 34 56 78"],
    ["phone", "0412 345 678", "0412 345 678"],
    ["phone", "phone 2125550142", "2125550142"],
    ["phone", "call him at 555-0142", "555-0142"],
    ["iban", "to GB82 WEST 1234 5698 7654 32.", "GB82 WEST 1234 5698 7654 32"],
    ["iban", "de89370400440532013000", "de89370400440532013000"],
    ["iban", "FR14 2004 1010 0505 0001 3M02 606", "FR14 2004 1010 0505 0001 3M02 606"],
    ["street", "at 12 Main Street", "12 Main Street"],
    ["street", "1600 Pennsylvania Ave NW", "1600 Pennsylvania Ave NW"],
    ["street", "221B Baker St., London", "221B Baker St."],
    ["street", "350 5th Ave, Apt 4B", "350 5th Ave, Apt 4B"],
    ["street", "12 main street", "12 main street"],
    [
      "street",
      "742 Evergreen Terrace, Springfield, OR 97403",
      "742 Evergreen Terrace, Springfield, OR 97403",
    ],
    ["street", "P.O. Box 1234", "P.O. Box 1234"],
    ["street", "12 rue de Rivoli", "12 rue de Rivoli"],
    ["street", "12 boul. des \u00c9rables", "12 boul. des \u00c9rables"],
    ["street", "AT 12 ELM COURT", "12 ELM COURT"],
    ["street", "Unit 4/12 Banksia Parade", "4/12 Banksia Parade"],
    ["street", "Hauptstra\u00dfe 12a", "Hauptstra\u00dfe 12a"],
    ["street", "Calle Mayor 5", "Calle Mayor 5"],
  ])("are found: %s in %j", (kind, text, place) => {
    expect(found(text)).toEqual([[kind, place]]);
  });

  it.each([
    ["routing 021000021 account 000123456789", "000123456789"],
    ["ABA: 021000021, acct # 12345678", "12345678"],
    ["account 12345678 at 021000021", "12345678"],
    ["routing 021000021 / 000123456789", "000123456789"],
    ["MICR line 021000021 000123456789", "000123456789"],
    ["sort code 20-00-00, account number 55779911", "55779911"],
    ["BSB 062-000 account 12345678", "12345678"],
    ["bank account number 123456789", "123456789"],
  ])("are found: an account next to its bank's number in %j", (text, account) => {
    expect(found(text)).toEqual([["bank_account", account]]);
  });

  it.each([
    "Order 100200300, $1,250.00 on 05/12/2025",
    "2026-11-28 1,234.56",
    "invoice INV-2024-00123",
    "order 212-555-0142",
    "He called 3 times on 2025-10-01",
    "@shop and icon@2x.png, j***@***",
    "GB82 WEST 1234 5698 7654 33",
    "routing 021000021",
    "routing 123456789 account 000123456789",
    "account 12345678",
    "2 orders on Main Street",
    "5 items, a one way street, 500 GB Drive, 3 days",
    "ISBN 978-3-16-148410-0",
    "tracking 1Z999AA10123456784, 9400111899223344556677, 420941059400111899223344556677",
    "paid 10.02.2025 and 02/03/2024 at 09:41",
    "size 10 x 20 x 30, weight 1.250 kg, 12 V",
    "order 01234-567890",
    "ACN 004 085 617",
    "SENT 12 ITEMS TO COURT AND 2 OF THE PARK",
    "https://shop.example/orders/0123456789?ref=98765",
  ])("are not found in %j", (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe("the longest text", () => {
  const LONGEST = 10_000;
  const fill = (part: string) => part.repeat(Math.ceil(LONGEST / part.length)).slice(0, LONGEST);

  // A pattern with runaway backtracking would exceed the test's timeout.
  it.each([
    "1",
    "1 ",
    "4 ",
    "4111 ",
    "4111-1111-1111-1112 ",
    "a",
    "a.",
    "a@",
    "a@a.",
    "a at ",
    "a dot ",
    "AA11 ",
    "GB82",
    "0 ",
    "+1 ",
    "(0",
    "cvc ",
    "cvc is the of ",
    "ssn ",
    "ssn 1",
    "021000021 ",
    "021000021 account ",
    "account 1234 ",
    "1 A ",
    "1 a ",
    "12 Main ",
    "1,000",
    "$1,1",
    "\u200b",
    "\u{1d7cf}",
    "social security ",
    "order ",
    "tel ",
    " ",
    "-",
    "\n",
  ])("is scanned to the end when it repeats %j", (part) => {
    expect(() => findPrivateText(fill(part), { own: [fill(part).slice(0, 100)] })).not.toThrow();
  });

  it("is searched up to its last place", () => {
    const card = "4111 1111 1111 1111";
    const text = `${"x ".repeat((LONGEST - card.length) / 2)}${card}`;
    expect(found(text)).toEqual([["card", card]]);
  });
});
