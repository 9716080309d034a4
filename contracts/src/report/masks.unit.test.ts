import { expect, it } from "vitest";
import { maskAccount, maskEmail, maskPhone } from "./masks.ts";

it("shows only the first letter of an address, and nothing of its domain or length", () => {
  for (const address of ["quinn@example.net", "q@a.co", "quinn.ames.shop@mail.long-host.example"])
    expect(maskEmail(address)).toBe("q***@***");
  expect(maskEmail("😀mile@example.net")).toBe("😀***@***");
  for (const none of ["", "quinn", "@example.net"]) expect(maskEmail(none)).toBe("***");
});

it("shows neither the digits of a phone number nor how many there are", () => {
  for (const phone of ["+1 303 555 0142", "0207 946 0958", "42", ""])
    expect(maskPhone(phone)).toBe("(***) ***-****");
});

it("shows the last four characters of an account that has eight or more", () => {
  expect(maskAccount("0001 2345 6789")).toBe("****6789");
  expect(maskAccount("1234567")).toBe("****");
});
