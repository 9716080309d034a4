import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { pdf } from "#pictures/testing/made-files.ts";
import { violations } from "./support/page-checks.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

let site: Site;
let page: Page;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
});

/** Subjects and recipients of the emails in the outbox. */
const outbox = async () => (await fetch(site.url("/outbox"))).text();
const inquiries = async () => (await outbox()).split("Enterprise inquiry").length;

describe("the inquiry forms in a browser", () => {
  it("lead from a plan to the form with that plan chosen, and keep what was typed", async () => {
    await site.show(page, "/");
    await page.getByRole("link", { name: "Enterprise Solutions" }).click();
    await page.getByRole("heading", { level: 1, name: "Enterprise Solutions" }).waitFor();
    await page.getByLabel("Company").fill("Acme");
    await page.getByRole("button", { name: "Ask about Enterprise Plus" }).click();
    await expect
      .poll(() => page.getByLabel("Plan (optional)").inputValue())
      .toBe("enterprise_plus");
    expect(await page.getByLabel("Company").inputValue()).toBe("Acme");
  });

  it("list the missing fields, and send nothing", async () => {
    const before = await inquiries();
    await page.getByRole("button", { name: "Contact sales" }).click();
    await page.getByText("Use case is a required field").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("name");
    expect(await inquiries()).toBe(before);
  });

  it("keep everything when no answer arrives, and send it once", async () => {
    await page.getByLabel("Name").fill("Ann Lee");
    await page.getByLabel("Email").fill("ann@acme.example");
    await page.getByLabel("Use case").fill("Orders,\nbefore they ship");
    // The first answer is lost after the server accepted the form.
    await page.route(
      "**/enterprise/contact**",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole("button", { name: "Contact sales" }).click();
    await page.getByText("Check your connection and try again").waitFor();
    await page.getByRole("button", { name: "Contact sales" }).click();
    const heading = page.getByRole("heading", { name: /^Enterprise inquiry E-/ });
    await heading.waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H2");
    expect(await violations(page)).toEqual([]);
    const number = (await heading.innerText()).replace("Enterprise inquiry ", "");
    const reply = `We received your enterprise inquiry (${number})`;
    await expect.poll(async () => (await outbox()).split(reply).length - 1).toBe(1);
  });

  it("accept a notice only with its statements, and give it a number", async () => {
    await site.show(page, "/dmca");
    await page.getByRole("link", { name: "Send a notice using the form" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Ann Lee");
    await page.getByLabel("Email").fill("ann@press.example");
    await page.getByLabel("Postal address").fill("1 Main St, Denver");
    await page.getByLabel("The copyrighted work").fill("A photograph");
    await page.getByLabel("The material that infringes it").fill("/report/bob-doe");
    await page.getByLabel("Signature").fill("Ann Lee");
    await page.getByRole("button", { name: "Send the notice" }).click();
    await page.getByText("Please confirm this statement").first().waitFor();
    for (const box of await page.getByRole("checkbox").all()) {
      expect(await box.isChecked()).toBe(false);
      await box.check();
    }
    await page.getByRole("button", { name: "Send the notice" }).click();
    await page.getByRole("heading", { name: /^DMCA notice N-/ }).waitFor();
    await page.getByText("We've received your message. We respond within 48 hours.").waitFor();
  });

  it("accept a law enforcement request with a copy of its document", async () => {
    await site.show(page, "/law-enforcement");
    await page.getByLabel("Agency").fill("Denver Police");
    await page.getByLabel("Officer's name and rank").fill("Det. Ann Lee");
    await page.getByLabel("Email").fill("ann@police.example");
    await page.getByLabel("Legal basis").fill("Subpoena 12");
    await page.getByLabel("Reports or people concerned").fill("Quinn Ames");
    const file = page.getByLabel("Copy of the document");
    await file.setInputFiles({
      name: "x.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("x"),
    });
    await page.getByText(/^Error: .+/).waitFor();
    const order = { name: "order 12.pdf", mimeType: "application/pdf", buffer: pdf() };
    await file.setInputFiles(order);
    await page.getByText("order 12.pdf (PDF, 1 kB)").waitFor();
    await page.getByRole("button", { name: "Remove file" }).click();
    await file.setInputFiles(order);
    await page.getByText("order 12.pdf (PDF, 1 kB)").waitFor();
    await page.getByRole("button", { name: "Send the request" }).click();
    const heading = page.getByRole("heading", { name: /^Law enforcement request L-/ });
    const number = (await heading.innerText()).replace("Law enforcement request ", "");
    await expect.poll(outbox).toContain(`We received your law enforcement request (${number})`);
  });
});
