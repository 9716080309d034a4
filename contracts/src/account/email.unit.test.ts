import { expect, it } from "vitest";
import { isEmail } from "./email.ts";

it.each([
  "root@127.0.0.1",
  "a@[1.2.3.4]",
  "a@[IPv6:::1]",
  "a@1.2.3.4.",
  "a@2130706433",
  "a@0x7f.1",
  "a@127.0.0.0x1",
  "a@mail.1",
])("requires a domain name, not an IP address: %s", (address) => {
  expect(isEmail(address)).toBe(false);
});

it.each(["a@1.2.3.4.example", "a@163.com", "a@mail.xn--p1ai", "o'hara+x@a-b.co"])(
  "allows digits in the domain: %s",
  (address) => {
    expect(isEmail(address)).toBe(true);
  },
);
