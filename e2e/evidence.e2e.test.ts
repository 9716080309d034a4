import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

let site: Site;

beforeAllInBrowser(async () => {
  site = await sharedSite();
});

const storedFiles = () => readdir(path.join(site.dataDir, "files"), { recursive: true });

async function picture(name: string, size = 600) {
  const create = { width: size, height: size, channels: 3, background: "#17407c" } as const;
  return { name, mimeType: "image/jpeg", buffer: await sharp({ create }).jpeg().toBuffer() };
}

const PAYMENTS = {
  chargeback: [
    ["Card, last 4 digits", "4242"],
    ["Original amount", "412.50"],
    ["Transaction date", "2026-05-02"],
  ],
  "bad check": [
    ["Check number", "1042"],
    ["Bank name", "First Example Bank"],
    ["Check amount", "80"],
    ["Check date", "2026-06-01"],
  ],
} as const;
type Kind = keyof typeof PAYMENTS;

async function fillIn(page: Page, kind: Kind = "chargeback"): Promise<void> {
  if (kind === "bad check") await page.getByLabel(/^Bad check/).check();
  for (const [label, text] of [
    ["Title", "Disputed a delivered order"],
    ["Description", "Signed for, then disputed."],
    ["First name", "Quinn"],
    ["Last name", "Ames"],
    ["City", "Denver"],
    ["State", "CO"],
    ["ZIP", "80202"],
    ["Your first name", "Rae"],
    ["Your last name", "Holt"],
    ["Your email", "rae@evidence.example"],
    ...PAYMENTS[kind],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel(/agree to the/).check();
}

describe.each<[Kind, string, number]>([
  ["chargeback", "a wide screen", 1280],
  ["bad check", "a phone", 360],
])("evidence of a %s on %s", (kind, _name, width) => {
  it("is added, shown, removed, and submitted with the report", async () => {
    const page = await site.openTab();
    await page.setViewportSize({ width, height: 900 });
    await site.show(page, "/report");
    const files = page.getByRole("list", { name: "Files for this report" });
    const picker = page.locator('input[type="file"]');
    await picker.setInputFiles([
      await picture("check front.jpg"),
      { name: "phone.heic", mimeType: "image/heic", buffer: Buffer.from("any") },
      { name: "script.png", mimeType: "image/png", buffer: Buffer.from("<script>1</script>") },
    ]);
    await files.getByText("JPEG picture").waitFor();
    await files.getByText(/Apple's HEIC format/).waitFor();
    await expect.poll(() => files.getByRole("listitem").count()).toBe(3);
    await page.getByText("1 file was added. 2 files were not added.").waitFor();
    await fillIn(page, kind);
    const submit = page.getByRole("button", { name: "Submit Report" });
    await submit.click();
    await page.getByRole("link", { name: /Remove the files that weren't added/ }).waitFor();
    for (const name of ["phone.heic", "script.png"])
      await files.getByRole("button", { name: `Remove ${name}` }).click();
    await expect.poll(() => files.getByRole("listitem").count()).toBe(1);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Choose files");
    await expect
      .poll(() => page.getByLabel("Title", { exact: true }).inputValue())
      .toContain("Disputed");
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    const sent = page.waitForRequest(/\/reports\/submit/);
    await submit.click();
    await page.getByText("Report submitted successfully!").first().waitFor();
    const { report_type, evidence } = (await sent).postDataJSON();
    expect([report_type, evidence.length]).toEqual([kind.replace(" ", "_"), 1]);
    expect(site.complaints).toEqual([]);
    await page.close();
  });
});

describe("files", () => {
  it("are accepted by drop, from the clipboard and by keyboard, up to ten", async () => {
    const before = await storedFiles();
    const page = await site.openTab();
    await site.show(page, "/report");
    const files = page.getByRole("list", { name: "Files for this report" });
    const choose = page.getByRole("button", { name: "Choose files" });
    await choose.waitFor();
    const { buffer } = await picture("a.jpg", 16);
    const bytes = [...buffer];
    for (const kind of ["drop", "paste"] as const)
      await page.evaluate(
        ([type, content]) => {
          const transfer = new DataTransfer();
          const parts = [new Uint8Array(content as number[])];
          transfer.items.add(new File(parts, `${type}.jpg`, { type: "image/jpeg" }));
          document.body.dispatchEvent(
            type === "drop"
              ? new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true })
              : new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true }),
          );
        },
        [kind, bytes] as const,
      );
    await files.getByText("drop.jpg", { exact: true }).first().waitFor();
    await files.getByText("paste.jpg", { exact: true }).first().waitFor();
    await expect.poll(() => files.getByText("JPEG picture").count()).toBe(2);
    const chosen = page.waitForEvent("filechooser");
    await choose.focus();
    await page.keyboard.press("Enter");
    await (await chosen).setFiles(
      await Promise.all(Array.from({ length: 9 }, (_, n) => picture(`${n}.jpg`, 16))),
    );
    await expect.poll(() => files.getByText("JPEG picture").count()).toBe(10);
    await page.getByText(/1 file wasn't added. A report can have up to 10 files/).waitFor();
    expect((await storedFiles()).length - before.length).toBeGreaterThanOrEqual(10);
    await page.close();
  });

  it("show a progress bar while they upload, then a preview of the picture", async () => {
    const page = await site.openTab();
    await site.show(page, "/report");
    const files = page.getByRole("list", { name: "Files for this report" });
    const onItsWay = Promise.withResolvers<void>();
    await page.route("**/prod/api/uploads**", async (route) => {
      await onItsWay.promise;
      await route.continue();
    });
    await page.locator('input[type="file"]').setInputFiles(await picture("front.jpg"));
    await files.getByRole("progressbar", { name: "Uploading front.jpg" }).waitFor();
    expect(await files.locator("canvas").count()).toBe(0);
    onItsWay.resolve();
    await files.getByText("JPEG picture").waitFor();
    expect(await files.getByRole("progressbar").count()).toBe(0);
    const pixel = () =>
      files
        .locator("canvas")
        .evaluate((canvas) => [
          ...((canvas as HTMLCanvasElement).getContext("2d")?.getImageData(9, 9, 1, 1).data ?? []),
        ]);
    // The picture is plain blue.
    await expect.poll(async () => ((await pixel())[2] ?? 0) > 100).toBe(true);
    await page.close();
  });

  it("are retried under one secret while the server is unavailable, then with a button", async () => {
    const page = await site.openTab();
    await page.clock.install();
    await site.show(page, "/report");
    await page.getByLabel("Title", { exact: true }).fill("Kept");
    // With one secret, the server keeps a file once, even if only a reply was lost.
    const secrets: (string | undefined)[] = [];
    await page.route("**/prod/api/uploads**", (route) => {
      secrets.push(route.request().headers()["x-upload-secret"]);
      return secrets.length > 4 ? route.continue() : route.abort();
    });
    await page.locator('input[type="file"]').setInputFiles(await picture("a.jpg"));
    const files = page.getByRole("list", { name: "Files for this report" });
    await files.getByText("The connection was lost. Trying again").waitFor();
    expect(await files.getByRole("progressbar").count()).toBe(0);
    await expect
      .poll(async () => {
        await page.clock.fastForward(8_000);
        return files.getByText(/couldn't upload this file/).count();
      })
      .toBe(1);
    await files.getByRole("button", { name: /Try again/ }).click();
    await files.getByText("JPEG picture").waitFor();
    expect(secrets).toEqual(Array.from({ length: 5 }, () => secrets[0]));
    expect(secrets[0]).toMatch(/^[\w-]{43}$/);
    expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("Kept");
    await page.close();
  });
});
