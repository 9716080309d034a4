import { describe, expect, it } from "vitest";
import { get } from "../testing/get-page.ts";

/** Returns the names of a form's controls in order; optional ones end in "?". Omits the honeypot. */
function controls(html: string): string[] {
  const form = /<form[^>]*method="post".*?<\/form>/s.exec(html)?.[0] ?? "";
  return [...form.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)].flatMap(([control]) => {
    const name = / name="(\w+)"/.exec(control)?.[1];
    if (!name || control.includes('tabindex="-1"') || control.includes('tabIndex="-1"')) return [];
    return [`${name}${/ required=/.test(control) ? "" : "?"}`];
  });
}

describe("the enterprise plans page", () => {
  it("has three plans with price and call volume, each with a button", async () => {
    const { status, html } = await get("/enterprise");
    expect(status).toBe(200);
    const plans = [...html.matchAll(/<li><h3>(.*?)<\/h3><p[^>]*>(.*?)<\/p><p>(.*?)<\/p>/g)];
    expect(plans.map((plan) => plan.slice(1))).toEqual([
      ["Professional", "$299 per month", "10,000 calls a month"],
      ["Enterprise", "$999 per month", "100,000 calls a month"],
      ["Enterprise Plus", "Custom price", "Unlimited calls"],
    ]);
    for (const [, name] of plans) expect(html).toContain(`Ask about ${name}</`);
    expect(html).toContain("In preparation: you can&#x27;t buy a plan yet.");
  });

  it("has features, use cases, and the contract form, answered within 24 hours", async () => {
    const { html, calls } = await get("/enterprise");
    for (const heading of ["Features", "Use cases", "Plans", "Contact sales"])
      expect(html).toMatch(new RegExp(`<h2[^>]*>${heading}</h2>`));
    expect(html).toContain("We answer within 24 hours.");
    expect(controls(html)).toEqual([
      "company",
      "name",
      "email",
      "phone?",
      "plan?",
      "useCase",
      "volume?",
    ]);
    expect(calls).toEqual([]);
  });
});

describe("the forms that go to staff", () => {
  it.each([
    [
      "/law-enforcement",
      "Law enforcement requests",
      ["agency", "name", "email", "phone?", "legal_basis", "document?", "cases"],
    ],
    [
      "/dmca/notice",
      "DMCA notice",
      ["name", "owner?", "email", "phone?", "address", "work", "material"],
    ],
    [
      "/dmca/counter-notice",
      "DMCA counter-notice",
      ["name", "email", "phone", "address", "material", "reason"],
    ],
  ])(
    "%s asks for what its answer needs, and says where to write without JavaScript",
    async (url, heading, asked) => {
      const { status, html } = await get(url);
      expect(status).toBe(200);
      expect(html).toContain(`>${heading}</h1>`);
      expect(controls(html).slice(0, asked.length)).toEqual(asked);
      const plain = /<noscript>.*?<\/noscript>/gs.exec(html)?.[0] ?? "";
      expect(plain).toContain('href="mailto:support@registry.test?subject=');
    },
  );

  it("promise an answer within the time stated in the policy", async () => {
    const first = async (url: string) => /<\/h1><p>.*?<\/p>/s.exec((await get(url)).html)?.[0];
    expect(await first("/dmca/notice")).toContain("respond within 48 hours");
    expect(await first("/law-enforcement")).toContain("answer within 24 hours");
  });
});
