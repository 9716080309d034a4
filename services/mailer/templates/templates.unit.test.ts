import { describe, expect, it } from "vitest";
import { greeting, looksLikeLink } from "./greeting.ts";
import { statusMail } from "./status.ts";
import { verificationMail } from "./verification.ts";

const LINKS = [
  "http://evil.example",
  "HTTPS://evil",
  "evil.example",
  "win at WWW.evil",
  "you won: evil.example/prize, Rae",
  "rae@evil.example",
  "＠evil",
  "evil．example",
  "evil。example",
  "ｈｔｔｐ：／／evil",
  "пример.рф",
  "mailto:rae",
];
const NAMES = [
  "Rae",
  "Zoë 🪑",
  "J.R.",
  "J. R. R.",
  "O'Neill-Díaz",
  "עמר",
  "St. John",
  "María José",
];

describe("the greeting of a mail", () => {
  it.each(NAMES)("names %s", (name) => {
    expect(greeting(name)).toBe(`Hello ${name},`);
  });

  it.each(LINKS)("leaves out what mail programs make a link of: %s", (name) => {
    expect(greeting(name)).toBe("Hello,");
  });

  it("names nobody without a name", () => {
    expect(greeting("")).toBe("Hello,");
  });
});

describe("the words of a stranger", () => {
  const report = { firstName: "http://evil.example", productName: "The Registry" };
  const mailsTo = (confirmed: boolean, title: string) => [
    ...(confirmed
      ? []
      : [verificationMail({ ...report, title, url: "http://registry.example/x" })]),
    ...(["approved", "rejected", "under_review", "pending"] as const).map((status) =>
      statusMail({ ...report, title, status, confirmed, searchUrl: "http://registry.example/s" }),
    ),
  ];

  it("put no link into any mail to an address that nobody has confirmed", () => {
    for (const title of LINKS)
      for (const { subject, paragraphs } of mailsTo(false, title))
        for (const words of [subject, ...paragraphs])
          expect(looksLikeLink(words), words).toBe(false);
  });

  it("keep the title where it leads nowhere, or where the reporter is known", () => {
    const named = (confirmed: boolean, title: string) =>
      mailsTo(confirmed, title).map(({ paragraphs }) => paragraphs[1]?.includes(`"${title}"`));
    expect(named(false, "Disputed a delivered order")).toEqual([true, true, true, true, true]);
    expect(named(true, "Bought at shop.example")).toEqual([true, true, true, true]);
  });
});
