import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import sharp, { type Create } from "sharp";
import { describe, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { openFileStore } from "#files/file-stores.ts";
import { SealedFiles } from "#files/sealed-files.ts";
import { CANARY, photo } from "#pictures/testing/made-files.ts";
import { forFile } from "#test-kit/for-file.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, eraseReport, eventsOf, submit } from "../testing/reports.fixture.ts";
import { named, pdf, picture, storedFiles, upload } from "../testing/uploads.fixture.ts";
import { UploadStore } from "./upload.store.ts";
import { UploadRemoval } from "./upload-removal.ts";

const fixture = forFile(() => startCommandApi());

type Query = Record<string, string | number>;

function publish(
  id: string,
  file: string,
  content: Buffer,
  { as = "admin", key, ...query }: { as?: "admin" | "user" | "auditor"; key?: string } & Query = {},
) {
  const asked = new URLSearchParams({ boxes: "1", ...(query as Record<string, string>) });
  return fixture.api.app.inject({
    method: "POST",
    url: `${admin(id, `/evidence/${file}/publish`)}?${asked}`,
    headers: {
      authorization: `Bearer ${fixture.tokens[as]}`,
      "content-type": "application/octet-stream",
      ...(key ? { "idempotency-key": String(key) } : {}),
    },
    payload: content,
  });
}
const hide = (id: string, copy: string, body: object = {}, as: "admin" | "user" = "admin") =>
  fixture.call("POST", admin(id, `/evidence/${copy}/hide`), { body, as });

/** An approved report with one file. */
async function publicReport(content: Buffer = pdf, body: object = chargeback) {
  const file = await upload(fixture, content);
  const id = await submit(fixture, { ...body, evidence: [named(file)] });
  const answer = await fixture.call("POST", admin(id, "/approve"), { as: "admin", body: {} });
  expect(answer.statusCode, answer.body).toBe(200);
  return { id, file: file.id };
}
const copiesOf = async (id: string) => (await fixture.api.reports.load(id))?.copies ?? [];
const typesOf = async (id: string) => (await eventsOf(fixture, id)).map(({ type }) => type);
const isStored = async (id: string) =>
  (await storedFiles(fixture)).some((name) => name.includes(id));
const keyOf = (id: string) => fixture.keyState(subjects.file(id));

/** The decrypted content of a stored file. */
async function contentOf(id: string): Promise<Buffer> {
  const store = await openFileStore(`file://${fixture.filesFolder}`);
  const found = await new SealedFiles({ files: store, keys: fixture.api.keys }).get(id);
  if (found.state !== "present") throw new Error(found.state);
  return Buffer.concat(await found.content.toArray());
}

describe("publishing a picture of a file", () => {
  it("stores a copy under its own key, without the picture's metadata", async () => {
    const { id, file } = await publicReport();
    const sent = await photo("jpeg");
    expect(sent.includes(CANARY)).toBe(true);
    const answer = await publish(id, file, sent, { page: 1, boxes: 3 });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers["x-position"]).toBeDefined();
    const [copy] = await copiesOf(id);
    if (!copy) throw new Error("nothing was published");
    const stored = await contentOf(copy.copy_id);
    expect(stored.includes(CANARY)).toBe(false);
    const { exif, xmp, iptc, icc, format, width, height } = await sharp(stored).metadata();
    expect({ exif, xmp, iptc, icc, format }).toEqual({ format: "webp" });
    expect(copy.personal).toMatchObject({ width, height, bytes: stored.length });
    expect(await keyOf(copy.copy_id)).toBe("present");
    const event = (await eventsOf(fixture, id)).at(-1);
    expect(event).toMatchObject({
      type: "EvidencePublished",
      data: {
        copy_id: copy.copy_id,
        file_id: file,
        kind: "evidence",
        page: 1,
        boxes: 3,
        type: "image/webp",
        personal: { key: subjects.personal(id) },
      },
    });
    expect(JSON.stringify(event)).not.toMatch(/sha256|"width"|"bytes"/);
    const sealed = await readFile(path.join(fixture.filesFolder, await placeOf(copy.copy_id)));
    expect(sealed.includes("WEBP"), "it is stored sealed").toBe(false);
  });

  it("keeps redactions, and limits the size", async () => {
    const { id, file } = await publicReport(await picture("png", 64));
    const secret = { r: 255, g: 0, b: 0 };
    const box = { input: { create: { width: 600, height: 200, channels: 3, background: "#000" } } };
    const page = sharp({ create: { width: 3000, height: 1500, channels: 3, background: secret } });
    const painted = page.composite([
      { ...(box as { input: { create: Create } }), left: 300, top: 300 },
    ]);
    expect((await publish(id, file, await painted.jpeg().toBuffer())).statusCode).toBe(200);
    const [copy] = await copiesOf(id);
    const stored = await contentOf(copy?.copy_id ?? "");
    const { data, info } = await sharp(stored).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([2000, 1000, 3]);
    const at = (x: number, y: number) => [
      ...data.subarray((y * 2000 + x) * 3, (y * 2000 + x) * 3 + 3),
    ];
    for (const [x, y] of [
      [205, 205],
      [400, 260],
      [595, 328],
    ] as const)
      expect(Math.max(...at(x, y)), `${x},${y}`).toBeLessThan(16);
    expect(at(1000, 800)[0]).toBeGreaterThan(230);
  });

  it("removes transparency, which could hide pixels", async () => {
    const { id, file } = await publicReport(await picture());
    const create = { width: 8, height: 8, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } };
    const sent = await sharp({ create: create as Create })
      .png()
      .toBuffer();
    expect((await publish(id, file, sent)).statusCode).toBe(200);
    const [copy] = await copiesOf(id);
    const { channels, hasAlpha } = await sharp(await contentOf(copy?.copy_id ?? "")).metadata();
    expect({ channels, hasAlpha }).toEqual({ channels: 3, hasAlpha: false });
  });

  it("asks for the password again after a while, as opening does", async () => {
    const { id, file } = await publicReport();
    const { rowCount } = await fixture.db.query(
      "update command.session set proved_at = now() - interval '16 minutes'",
    );
    expect(rowCount).toBeGreaterThan(0);
    try {
      const answer = await publish(id, file, await picture(), { page: 1 });
      expect(refusal(answer)).toEqual([403, "proof_required"]);
      expect((await hide(id, file)).json().error.code).toBe("proof_required");
    } finally {
      await fixture.db.query("update command.session set proved_at = now()");
    }
  });

  it.each([
    ["an unknown file", 404, async () => ({ ...(await publicReport()), file: randomUUID() })],
    ["an unknown report", 404, async () => ({ ...(await publicReport()), id: randomUUID() })],
    [
      "a rejected report",
      409,
      async () => {
        const report = await publicReport();
        const body = { reason: "No proof" };
        await fixture.call("POST", admin(report.id, "/reject"), { as: "admin", body });
        return report;
      },
    ],
    [
      "a deleted report",
      410,
      async () => {
        const report = await publicReport();
        await fixture.call("DELETE", admin(report.id), { as: "admin", body: {} });
        return report;
      },
    ],
  ])("is refused for %s, and stores nothing", async (_, status, make) => {
    const { id, file } = await make();
    const before = await storedFiles(fixture);
    const answer = await publish(id, file, await picture(), { page: 1 });
    expect([answer.statusCode, answer.json().success], answer.body).toEqual([status, false]);
    expect(await storedFiles(fixture)).toEqual(before);
  });

  it.each([
    ["a PDF", () => pdf, 400],
    ["no picture", () => Buffer.from("<script>1</script>"), 400],
    ["a picture that is cut off", async () => (await photo("jpeg")).subarray(0, 300), 400],
    ["more than 10 MB", () => Buffer.alloc(10 * 1024 * 1024 + 1), 413],
  ])("accepts only pictures, not %s", async (_, content, status) => {
    const { id, file } = await publicReport();
    const answer = await publish(id, file, await content(), { page: 1 });
    expect([answer.statusCode, answer.json().success], answer.body).toEqual([status, false]);
    expect(await copiesOf(id)).toEqual([]);
  });

  it("happens once for a repeated request, and refuses another picture under its key", async () => {
    const { id, file } = await publicReport();
    const key = randomUUID();
    const content = await picture();
    const first = await publish(id, file, content, { page: 1, key });
    const before = await storedFiles(fixture);
    const again = await publish(id, file, content, { page: 1, key });
    expect(again.json().data).toEqual(first.json().data);
    expect(await copiesOf(id)).toHaveLength(1);
    expect((await publish(id, file, await picture("png", 9), { page: 1, key })).statusCode).toBe(
      422,
    );
    expect((await publish(id, file, content, { page: 1 })).statusCode).toBe(409);
    expect(await storedFiles(fixture)).toEqual(before);
  });

  it("succeeds for one of two concurrent admins, and leaves one copy", async () => {
    const { id, file } = await publicReport();
    const before = (await storedFiles(fixture)).length;
    const other = await fixture.another();
    const content = await picture();
    const send = (app: typeof other.app) =>
      app.inject({
        method: "POST",
        url: `${admin(id, `/evidence/${file}/publish`)}?boxes=0&page=1`,
        headers: {
          authorization: `Bearer ${fixture.tokens.admin}`,
          "content-type": "application/octet-stream",
        },
        payload: content,
      });
    const answers = await Promise.all([send(fixture.api.app), send(other.app)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(await copiesOf(id)).toHaveLength(1);
    expect((await storedFiles(fixture)).length).toBe(before + 1);
  });
});

describe("hiding a picture", () => {
  async function published() {
    const report = await publicReport();
    expect((await publish(report.id, report.file, await picture(), { page: 1 })).statusCode).toBe(
      200,
    );
    const [copy] = await copiesOf(report.id);
    return { ...report, copy: copy?.copy_id ?? "" };
  }

  it("destroys the copy's key and bytes before replying, and keeps the file itself", async () => {
    const { id, file, copy } = await published();
    const answer = await hide(id, copy, { reason: "A number can be read." });
    expect(answer.statusCode, answer.body).toBe(200);
    expect((await typesOf(id)).slice(-2)).toEqual(["EvidenceHidden", "EvidenceErased"]);
    expect(await keyOf(copy)).toBe("destroyed");
    expect(await isStored(copy)).toBe(false);
    expect(await keyOf(file)).toBe("present");
    expect(JSON.stringify(await eventsOf(fixture, id))).not.toContain("can be read");
    expect((await hide(id, copy)).statusCode).toBe(409);
    expect((await publish(id, file, await picture(), { page: 1 })).statusCode).toBe(200);
  });

  it("also happens when the report is erased", async () => {
    const { id, file, copy } = await published();
    await eraseReport(fixture, id);
    for (const each of [file, copy]) {
      expect(await keyOf(each)).toBe("destroyed");
      expect(await isStored(each)).toBe(false);
    }
  });
});

it("an unpublished copy of a killed process is swept after a day, and published copies stay", async () => {
  const { id, file } = await publicReport();
  await publish(id, file, await picture(), { page: 1 });
  const [copy] = await copiesOf(id);
  const lost = randomUUID();
  const uploads = new UploadStore(fixture.db);
  await uploads.addCopy({ id: lost, reportId: id, bytes: 5, now: new Date().toISOString() });
  const erased: string[] = [];
  const files = { erase: async (ids: readonly string[]) => void erased.push(...ids) };
  const removal = new UploadRemoval({ uploads, files, store: fixture.api.store });
  await removal.sweep(Date.now() + 23 * 3_600_000);
  expect(erased).not.toContain(lost);
  await removal.sweep(Date.now() + 25 * 3_600_000);
  expect(erased).toContain(lost);
  expect(erased).not.toContain(copy?.copy_id);
});

async function placeOf(id: string): Promise<string> {
  return path.join(id.slice(0, 2), id);
}
