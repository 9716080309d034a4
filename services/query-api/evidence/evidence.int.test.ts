import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());
beforeAll(async () => {
  await service.moveTo(5);
});

const approved = { status: "approved", approved_at: "2026-11-20T09:00:00.000Z" };
const BYTES = Buffer.from("RIFF....WEBP, and no more");

/** A report that shows one stored picture. */
async function reportWithPicture(columns: Record<string, unknown> = {}, kind = "evidence") {
  const copy_id = randomUUID();
  await service.files.put(
    copy_id,
    (async function* () {
      yield BYTES;
    })(),
    1000,
  );
  const copy = {
    copy_id,
    file_id: randomUUID(),
    kind,
    page: 2,
    width: 800,
    height: 600,
    bytes: BYTES.length,
    published_at: "2026-11-23T10:00:00.000Z",
  };
  const copies = JSON.stringify([copy]);
  const id = await service.addReport({ ...approved, copies, ...columns });
  return { id, copy, url: `/prod/api/reports/${id}/evidence/${copy_id}` };
}

it("serves a published picture to everyone, in such a way that nothing in it can run", async () => {
  const { url } = await reportWithPicture();
  const reply = await service.get(url);
  expect(reply.statusCode).toBe(200);
  expect(reply.rawPayload).toEqual(BYTES);
  expect(reply.headers).toMatchObject({
    "content-type": "image/webp",
    "content-length": String(BYTES.length),
    "content-disposition": 'inline; filename="evidence.webp"',
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "x-robots-tag": "noindex",
    "cache-control": "public, max-age=0, must-revalidate",
  });
});

it("lets caches revalidate it, and answers 404 once it is gone", async () => {
  const { id, url } = await reportWithPicture();
  const { etag } = (await service.get(url)).headers;
  const asked = { headers: { "if-none-match": String(etag) } };
  const same = await service.get(url, asked);
  expect([same.statusCode, same.body]).toEqual([304, ""]);
  await service.db.query("update reports.report set copies = '[]' where id = $1", [id]);
  expect((await service.get(url, asked)).statusCode).toBe(404);
});

it("is gone with its key, before the tables are updated", async () => {
  const { url, copy } = await reportWithPicture();
  const { etag } = (await service.get(url)).headers;
  await service.files.erase([copy.copy_id], new Date().toISOString());
  expect((await service.get(url)).statusCode).toBe(404);
  const asked = { headers: { "if-none-match": String(etag) } };
  expect((await service.get(url, asked)).statusCode).toBe(404);
});

it("answers the same for a hidden or unknown picture, another report's, or a non-public report's", async () => {
  const shown = await reportWithPicture();
  const hidden = await reportWithPicture({ copies: "[]" });
  const other = await reportWithPicture();
  const waiting = [];
  for (const status of ["pending", "under_review", "rejected"])
    waiting.push((await reportWithPicture({ status })).url);
  const answers = [];
  for (const url of [
    `/prod/api/reports/${shown.id}/evidence/${randomUUID()}`,
    `/prod/api/reports/${randomUUID()}/evidence/${shown.copy.copy_id}`,
    `/prod/api/reports/${other.id}/evidence/${shown.copy.copy_id}`,
    `/prod/api/reports/${shown.id}/evidence/${shown.copy.file_id}`,
    hidden.url,
    ...waiting,
  ]) {
    const { statusCode, body, headers } = await service.get(url, { as: "admin" });
    const random = ["date", "x-position", "x-request-id"];
    const rest = Object.entries(headers).filter(([name]) => !random.includes(name));
    answers.push(JSON.stringify({ statusCode, body, rest }));
  }
  expect(new Set(answers).size, [...new Set(answers)].join("\n")).toBe(1);
  expect(answers[0]).toContain('"statusCode":404');
});

it("is on the report's page with its size, and without its source file", async () => {
  const { url, copy } = await reportWithPicture({ slug: "page-with-evidence" });
  const reply = await service.get("/prod/api/reports/page-with-evidence");
  expect(reply.json().data).toMatchObject({
    evidence: [{ id: copy.copy_id, url, size: BYTES.length, width: 800, height: 600 }],
    check_image_url: null,
  });
  expect(reply.body).not.toContain(copy.file_id);
  expect((await service.get("/prod/api/reports/recent")).body).not.toContain(copy.copy_id);
});

it("is the check's picture if an admin said so", async () => {
  const { url } = await reportWithPicture({ slug: "page-with-check" }, "check_image");
  const reply = await service.get("/prod/api/reports/page-with-check");
  expect(reply.json().data.check_image_url).toBe(url);
});

it("shows moderators the files with their copies, without filenames", async () => {
  const { id, copy } = await reportWithPicture();
  const file = {
    file_id: copy.file_id,
    kind: "evidence",
    type: "application/pdf",
    added_at: "2026-11-22T10:00:00.000Z",
  };
  await service.db.query("update reports.report set files = $2 where id = $1", [
    id,
    JSON.stringify([file]),
  ]);
  const { file_id: _, bytes: size, ...rest } = copy;
  const reply = await service.get(`/prod/admin/reports/${id}`, { as: "admin" });
  expect(reply.json().files).toEqual([{ ...file, copies: [{ ...rest, size }] }]);
});
