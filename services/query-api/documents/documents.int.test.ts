import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Documents } from "#contracts/http/documents.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const URL = "/prod/api/admin/documents";

const service = forFile(() => startQueryApi());
beforeAll(async () => {
  await service.moveTo(5);
});

/** The n-th minute of the day. */
const minute = (n: number) => new Date(Date.UTC(2026, 10, 20, 0, n)).toISOString();

async function read(query = ""): Promise<Documents> {
  const answer = await service.get(URL + query, { as: "admin" });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
}

/** Reads all pages. @returns the file IDs and the number of pages. */
async function readAll(filter = "") {
  const ids: string[] = [];
  let pages = 0;
  for (let after: string | undefined = ""; after !== undefined; pages += 1) {
    const query = new URLSearchParams(filter);
    if (after) query.set("after", after);
    const { documents, next } = await read(`?${query}`);
    ids.push(...documents.map(({ file_id }) => file_id));
    after = next;
  }
  return { ids, pages };
}

const added: { file_id: string; kind: string; published: boolean; minute: number }[] = [];
let reports: string[] = [];

describe("the documents of all reports", () => {
  beforeAll(async () => {
    await service.addReport({});
    reports = [];
    for (let n = 0; n < 30; n += 1) {
      const evidence = { file_id: randomUUID(), kind: "evidence", type: "application/pdf" };
      const letter = { file_id: randomUUID(), kind: "letter", type: "image/png" };
      const files = [{ ...evidence, added_at: minute(n) }];
      // Every third report has a letter, added later, and every fifth a published picture.
      if (n % 3 === 0) files.push({ ...letter, added_at: minute(100 + n) });
      const copy = {
        copy_id: randomUUID(),
        file_id: evidence.file_id,
        kind: "evidence",
        width: 10,
        height: 10,
        bytes: 10,
        published_at: minute(200),
      };
      const copies = n % 5 === 0 ? [copy] : [];
      const columns = { files: JSON.stringify(files), copies: JSON.stringify(copies) };
      reports.push(await service.addReport(columns));
      for (const { file_id, kind } of files) {
        const published = kind === "evidence" && copies.length > 0;
        added.push({ file_id, kind, published, minute: kind === "letter" ? 100 + n : n });
      }
    }
  });

  it("are listed once each across pages, the newest report's first", async () => {
    const { ids, pages } = await readAll();
    expect(pages).toBe(2);
    expect(ids.toSorted()).toEqual(added.map(({ file_id }) => file_id).toSorted());
    const newest = added.find((file) => file.minute === 127);
    expect(ids[0]).toBe(newest?.file_id);
  });

  it("show their report and kind, and nothing of their content", async () => {
    const { documents } = await read("?kind=letter");
    const [first] = documents;
    expect(first).toEqual({
      file_id: added.find((file) => file.minute === 127)?.file_id,
      kind: "letter",
      type: "image/png",
      added_at: minute(127),
      published: 0,
      report: {
        id: reports[27],
        number: reportNumber(reports[27] ?? ""),
        first_name: "Quinn",
        last_name: "Ames",
        status: "pending",
      },
    });
  });

  it.each([
    ["kind=letter", ({ kind }: { kind: string }) => kind === "letter"],
    ["kind=evidence", ({ kind }: { kind: string }) => kind === "evidence"],
    ["published=yes", ({ published }: { published: boolean }) => published],
    ["published=no", ({ published }: { published: boolean }) => !published],
    [
      "kind=evidence&published=no",
      ({ kind, published }: { kind: string; published: boolean }) =>
        kind === "evidence" && !published,
    ],
    ["kind=letter&published=no", ({ kind }: { kind: string }) => kind === "letter"],
  ])("are filtered by %s", async (filter, fits) => {
    const { ids } = await readAll(filter);
    const expected = added.filter(fits as never).map(({ file_id }) => file_id);
    expect(ids.toSorted()).toEqual(expected.toSorted());
    expect(ids.length).toBeGreaterThan(5);
  });

  it("are no letters if only published ones are requested", async () => {
    expect(await readAll("kind=letter&published=yes")).toEqual({ ids: [], pages: 1 });
  });
});
