import { expect, it } from "vitest";
import { messageOf } from "./transport.ts";

const mail = {
  id: "mail-1",
  ownerId: "owner",
  to: "rae@shop.example",
  subject: "S",
  text: "T",
  html: "H",
};

const FROM = "no-reply@registry.example";
const none = () => undefined;

it("marks an email as automatic, whether it can be turned off or not", () => {
  expect(messageOf(mail, FROM, none).headers).toEqual({ "Auto-Submitted": "auto-generated" });
  const unsubscribeUrl = "https://x.example/u";
  expect(messageOf({ ...mail, unsubscribeUrl }, FROM, none).headers).toEqual({
    "Auto-Submitted": "auto-generated",
    "List-Unsubscribe": "<https://x.example/u>",
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
});

it("names the email in the sender's domain", () => {
  for (const from of [FROM, "A @ Registry <no-reply@registry.example>"])
    expect(messageOf(mail, from, none).messageId).toBe("<mail-1@registry.example>");
});
