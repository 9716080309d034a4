import { describe, expect, it } from "vitest";
import {
  normaliseAccount,
  normaliseCard,
  normaliseEmail,
  normalisePhone,
  normaliseStreetZip,
} from "./matching.ts";

/*
 * The log holds keyed hashes of these forms, which no one can recompute. If a rule changes, even through a new
 * libphonenumber, the new form needs a new field name next to the old one.
 */
describe("the forms from which blind indexes are made", () => {
  it.each([
    [" Dana.Ruiz+Shop@Example.COM ", "dana.ruiz+shop@example.com"],
    ["ＲＡＥ@shop.example", "rae@shop.example"],
    ["ﬁne@example.com", "fine@example.com"],
    ["ß@example.com", "ß@example.com"],
    ["a@b@example.com", "a@b@example.com"],
    ["none@example.com", undefined],
  ])("email %j", (value, form) => expect(normaliseEmail(value)).toBe(form));

  it.each([
    ["(303) 555-0142", "US", "+13035550142"],
    ["303.555.0142 x12", "US", "+13035550142"],
    ["011 44 20 7946 0018", "US", "+442079460018"],
    ["416 555 0199", "CA", "+14165550199"],
    ["+1 876 555 0123", "US", "+18765550123"],
    ["07400 123456", "UK", "+447400123456"],
    ["(02) 9374 4000", "AU", "+61293744000"],
    ["1800 160 401", "AU", "+611800160401"],
    ["+39 06 6988 3145", "US", "+390669883145"],
    ["+54 9 11 2345 6789", "US", "+5491123456789"],
    ["555-0142", "US", "+15550142"],
    ["911", "US", undefined],
  ])("phone %j of %s", (value, country, form) => expect(normalisePhone(value, country)).toBe(form));

  it.each([
    ["411111", "4242", "411111-4242"],
    ["4111 11", "42-42", "411111-4242"],
    ["111111", "1111", undefined],
  ])("card %j %j", (first, last, form) => expect(normaliseCard(first, last)).toBe(form));

  it.each([
    ["000-123456789", "123456789"],
    ["gb29 nwbk 6016 1331 9268 19", "GB29NWBK60161331926819"],
    ["0000", undefined],
  ])("bank account %j", (value, form) => expect(normaliseAccount(value)).toBe(form));

  it.each([
    ["1 North Main Street, Apt 4", "80202-1234", "1 n main st 4|80202"],
    ["12 Rue de l'Église", "H2X 1Y4", "12 rue de leglise|h2x1y4"],
    ["10 Downing St.", "SW1A 2AA", "10 downing st|sw1a2aa"],
    ["P.O. Box 12", "02134", "po box 12|02134"],
    ["Main Street", "80202", undefined],
  ])("street %j %j", (street, zip, form) => expect(normaliseStreetZip(street, zip)).toBe(form));
});
