import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { send } from "./support/calls.ts";
import { overflows } from "./support/page-checks.ts";
import { badCheck } from "./support/reports.ts";
import { ADMIN, openSession, type StoredSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

let site: Site;
let admin: StoredSession;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  admin = await openSession(site.origin, ADMIN);
});

/** Returns a PDF of two pages, the first red and the second green. */
function pdf(): Buffer {
  const fill = ["1 0 0 rg 0 0 300 200 re f", "0 1 0 rg 0 0 300 200 re f"];
  const page = (contents: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents ${contents} 0 R>>`;
  const stream = (text: string) => `<</Length ${text.length}>>stream\n${text}\nendstream\n`;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>",
    page(5),
    page(6),
    ...fill.map(stream),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj${object}endobj\n`).join("");
  return Buffer.from(`%PDF-1.4\n${body}trailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n`);
}

function photo(): Promise<Buffer> {
  const create = { width: 600, height: 400, channels: 3, background: "#ff0000" } as const;
  return sharp({ create }).jpeg().toBuffer();
}

/** Submits and approves a report with this file. @returns its id and its public address. */
async function publicReport(name: string, content: Buffer) {
  const { id: file, secret } = await site.post("/uploads", new Uint8Array(content));
  const body = { ...badCheck, evidence: [{ id: file, secret, name }] };
  const { id } = await site.post("/reports/submit", body);
  await site.post(`/admin/reports/${id}/approve`, {}, admin.token);
  const seoTitle = async () =>
    (
      await send<{ seo_title: string | null }>(
        site.origin,
        `GET /admin/reports/${id}`,
        {},
        admin.token,
      )
    ).seo_title;
  await expect.poll(seoTitle).toBeTruthy();
  return { id, address: `/report/${await seoTitle()}` };
}

/** Opens a report in the console as an admin, and reveals it. */
async function openReport(id: string, width = 1280) {
  const page = await site.openTabAs(admin);
  await page.setViewportSize({ width, height: 900 });
  await page.goto(site.url(`/admin/reports/${id}`));
  await page.getByRole("heading", { name: "1 file" }).waitFor();
  await page.getByRole("button", { name: "Reveal" }).click();
  return page;
}

async function draw(
  page: Page,
  [left, top, right, bottom]: readonly [number, number, number, number],
) {
  const box = await page.getByRole("dialog").locator("canvas").boundingBox();
  if (!box) throw new Error("no picture");
  await page.mouse.move(box.x + left * box.width, box.y + top * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + right * box.width, box.y + bottom * box.height, { steps: 4 });
  await page.mouse.up();
}

/** Opens the only published picture of a report's public page. Its colors can be read at fractions of its sides. */
async function published(address: string) {
  const page = await site.openTab();
  await page.goto(site.url(address));
  const picture = page.getByRole("link", { name: /in full size/ }).locator("img");
  await picture.scrollIntoViewIfNeeded();
  await expect
    .poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth))
    .toBeGreaterThan(0);
  const src = (await picture.getAttribute("src")) ?? "";
  const answer = await fetch(site.url(src));
  const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const place = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
    return [...data.subarray(place, place + 3)].map((part) => Math.round(part / 255)).join("");
  };
  return { page, src, at };
}

describe("evidence", () => {
  it("is opened after a reveal, published with boxes over it, shown to everyone, and hidden again", async () => {
    const { id, address } = await publicReport("check.jpg", await photo());
    const page = await openReport(id);
    await page.getByRole("button", { name: "Open check.jpg" }).click();
    await page.getByRole("img", { name: "JPEG picture check.jpg" }).waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    expect((await saved).suggestedFilename()).toBe("check.jpg");
    await page.getByRole("button", { name: "Prepare to publish" }).click();
    await draw(page, [0.1, 0.1, 0.4, 0.4]);
    await page.getByRole("button", { name: "Add box" }).click();
    await page.getByLabel("Left").nth(1).fill("400");
    await page.getByLabel("Top").nth(1).fill("240");
    await page.getByLabel("Width").nth(1).fill("120");
    await page.getByLabel("Height").nth(1).fill("60");
    const second = page.getByRole("button", { name: "Box 2: 120 by 60 at 400, 240" });
    await second.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+ArrowRight");
    await page.getByRole("button", { name: "Box 2: 126 by 60 at 400, 246" }).waitFor();
    await page.getByLabel("This is the check").check();
    await page.getByRole("button", { name: "Publish with 2 boxes" }).click();
    await page.getByText("Picture published").waitFor();
    await page.getByText(/^Check, published/).waitFor();

    const seen = await published(address);
    expect([
      seen.at(0.25, 0.25),
      seen.at(0.75, 0.7),
      seen.at(0.6, 0.3),
      seen.at(0.05, 0.05),
    ]).toEqual(["000", "000", "100", "100"]);
    const detail = await fetch(site.url(`/prod/api/reports${address.slice("/report".length)}`));
    expect(await detail.json()).toMatchObject({ data: { check_image_url: seen.src } });

    await page.getByRole("button", { name: "Hide", exact: true }).last().click();
    await page.getByLabel("Reason, for the history").fill("A number can be read.");
    await page.getByRole("button", { name: "Hide picture" }).click();
    await page.getByText("Picture hidden").waitFor();
    await page.getByText(/^Check, published/).waitFor({ state: "detached" });
    expect((await fetch(site.url(seen.src))).status).toBe(404);
    await seen.page.reload();
    await seen.page.getByRole("heading", { level: 1 }).waitFor();
    expect(await seen.page.getByRole("heading", { name: "Evidence" }).count()).toBe(0);
    await page.goto(site.url(`/admin/reports/${id}/history`));
    for (const sentence of [/published a picture of the evidence/, /hid a published picture/])
      await page.getByText(sentence).waitFor();
    expect(site.complaints).toEqual([]);
    await page.context().close();
  });

  it("is read from a PDF in a frame without access to anything, even on a phone", async () => {
    const { id, address } = await publicReport("letter.pdf", pdf());
    const page = await openReport(id, 360);
    await page.getByRole("button", { name: "Open letter.pdf" }).click();
    await page.getByText("Page 1 of 2").waitFor();
    const frame = page.locator("iframe");
    // The thumbnail's frame is removed once it has drawn.
    await expect.poll(() => frame.count()).toBe(1);
    expect(await frame.getAttribute("sandbox")).toBe("allow-scripts");
    const inside = page.frames().find((each) => each.url().endsWith("/pdf-frame.html"));
    expect(await inside?.evaluate(() => self.origin)).toBe("null");
    expect(
      await inside?.evaluate(() =>
        fetch("/prod/api/faq").then(
          () => "reached",
          () => "refused",
        ),
      ),
    ).toBe("refused");
    // The policy's refusal of that request is one.
    const known = site.complaints.length;
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByRole("img", { name: "PDF letter.pdf, page 2" }).waitFor();
    await expect.poll(() => middle(page)).toBe("010");
    expect(await overflows(page)).toBe(false);
    await page.getByRole("button", { name: "Prepare to publish" }).click();
    await page.getByRole("button", { name: "Publish with 0 boxes" }).click();
    await page.getByText(/^Evidence, page 2, published/).waitFor();
    expect((await published(address)).at(0.5, 0.5)).toBe("010");
    expect(site.complaints.slice(known)).toEqual([]);
    await page.context().close();
  });
});

/** Returns the color in the middle of the dialog's picture. */
function middle(page: Page): Promise<string> {
  return page
    .getByRole("dialog")
    .locator("canvas")
    .evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const pixel = canvas.getContext("2d")?.getImageData(width / 2, height / 2, 1, 1).data ?? [];
      return [...pixel]
        .slice(0, 3)
        .map((part) => Math.round(part / 255))
        .join("");
    });
}
