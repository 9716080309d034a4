import { expect, it } from "vitest";
import { headersOf, messageIdOf } from "./transport.ts";

const mail = {
  id: "mail-1",
  ownerId: "owner",
  to: "rae@shop.example",
  subject: "S",
  text: "T",
  html: "H",
};

it("marks an email as automatic, whether it can be turned off or not", () => {
  expect(headersOf(mail)).toEqual({ "Auto-Submitted": "auto-generated" });
  expect(headersOf({ ...mail, unsubscribeUrl: "https://x.example/u" })).toEqual({
    "Auto-Submitted": "auto-generated",
    "List-Unsubscribe": "<https://x.example/u>",
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
});

it("names the email in the sender's domain", () => {
  for (const from of ["no-reply@registry.example", "A @ Registry <no-reply@registry.example>"])
    expect(messageIdOf(mail, from)).toBe("<mail-1@registry.example>");
});
