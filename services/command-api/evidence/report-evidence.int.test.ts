import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { REVEAL_MS } from "#contracts/http/admin-reports.ts";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { erasureFollower } from "../testing/erasure-follower.fixture.ts";
import { admin, eraseReport, eventsOf, SUBMIT, submit } from "../testing/reports.fixture.ts";
import { deleteUpload, named, storedFiles, upload } from "../testing/uploads.fixture.ts";
import { EvidenceViewService } from "./evidence-view.service.ts";
import { UploadStore } from "./upload.store.ts";
import { UploadRemoval } from "./upload-removal.ts";

const fixture = forFile(() => startCommandApi());

const post = (body: object, key?: string) =>
  fixture.call("POST", SUBMIT, { body, ...(key ? { key } : {}) });
const reportOf = async (id: string) =>
  (await fixture.db.query("select report_id from command.upload where id = $1", [id])).rows[0]
    ?.report_id;
const keyOf = (id: string) => fixture.keyState(subjects.file(id));
const isStored = async (id: string) =>
  (await storedFiles(fixture)).some((name) => name.includes(id));
const submitted = async () =>
  (await fixture.db.query("select from event_log.event where type = 'ReportSubmitted'")).rowCount;
const typesOf = async (id: string) => (await eventsOf(fixture, id)).map(({ type }) => type);

describe("a report with evidence", () => {
  it("has an event per file, with nothing unencrypted that identifies the file", async () => {
    const [one, two] = [await upload(fixture), await upload(fixture)];
    const evidence = [named(one, "Quinn's invoice.pdf"), named(two, "b.pdf")];
    const id = await submit(fixture, { ...chargeback, evidence });
    const events = await eventsOf(fixture, id);
    expect(events.map(({ type }) => type)).toEqual([
      "ReportSubmitted",
      "EvidenceAdded",
      "EvidenceAdded",
    ]);
    expect(events[1]?.data).toEqual({
      file_id: one.id,
      kind: "evidence",
      type: "application/pdf",
      personal: expect.objectContaining({ key: subjects.personal(id) }),
    });
    const stored = JSON.stringify(events);
    for (const secret of ["invoice.pdf", "sha256", one.secret, two.secret])
      expect(stored).not.toContain(secret);
    const report = await fixture.api.reports.load(id);
    expect(report?.evidence[0]).toMatchObject({
      personal: { name: "Quinn's invoice.pdf", bytes: one.size },
      erased: false,
    });
  });

  it("gets the first reply for a retry, even if the secret was forgotten", async () => {
    const file = await upload(fixture);
    const key = randomUUID();
    const body = { ...chargeback, evidence: [named(file)] };
    const first = await post(body, key);
    const again = await post(body, key);
    expect(again.json().data).toEqual({ ...first.json().data, repeated: true });
    expect(await typesOf(first.json().data.id)).toHaveLength(2);
    const other = await post({ ...chargeback, evidence: [named(file, "renamed.pdf")] }, key);
    expect(other.statusCode).toBe(422);
  });

  it("can't use another report's file, and then claims none", async () => {
    const [taken, free] = [await upload(fixture), await upload(fixture)];
    const first = await submit(fixture, { ...chargeback, evidence: [named(taken)] });
    const answer = await post({ ...chargeback, evidence: [named(free), named(taken)] });
    expect(answer.statusCode, answer.body).toBe(409);
    expect(answer.json().error).toMatchObject({
      code: "upload_used",
      fields: { "evidence.1": expect.stringContaining("another report") },
    });
    expect(await reportOf(taken.id)).toBe(first);
    expect(await reportOf(free.id)).toBeNull();
    await submit(fixture, { ...chargeback, evidence: [named(free)] });
  });

  it("gets all files or none if two reports name them concurrently", async () => {
    for (let round = 0; round < 5; round += 1) {
      const files = [await upload(fixture), await upload(fixture)];
      const evidence = files.map((file) => named(file));
      const before = Number(await submitted());
      const answers = await Promise.all([
        post({ ...chargeback, evidence }),
        post({ ...chargeback, evidence: [...evidence].reverse() }),
      ]);
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
      // The refused one claimed no file, and left no report.
      const stored = answers.find(({ statusCode }) => statusCode === 200)?.json().data.id;
      for (const { id } of files) expect(await reportOf(id)).toBe(stored);
      expect(await submitted()).toBe(before + 1);
    }
  });

  it("refuses a guessed secret and an unknown ID the same way", async () => {
    const [file, other] = [await upload(fixture), await upload(fixture)];
    const wrong = await post({
      ...chargeback,
      evidence: [{ ...named(file), secret: other.secret }],
    });
    const unknown = await post({ ...chargeback, evidence: [{ ...named(file), id: randomUUID() }] });
    expect(wrong.statusCode, wrong.body).toBe(400);
    expect(wrong.json().error.fields).toHaveProperty(["evidence.0"]);
    expect(unknown.body).toBe(wrong.body);
    expect(await reportOf(file.id)).toBeNull();
    const used = await submit(fixture, { ...chargeback, evidence: [named(file)] });
    const guessed = await post({
      ...chargeback,
      evidence: [{ ...named(file), secret: other.secret }],
    });
    expect(guessed.body).toBe(wrong.body);
    expect(await reportOf(file.id)).toBe(used);
  });

  it.each([
    ["a file twice", async () => Array(2).fill(named(await upload(fixture)))],
    [
      "eleven files",
      async () =>
        Array.from({ length: 11 }, () => ({ id: randomUUID(), secret: "x".repeat(43), name: "a" })),
    ],
    ["a name of two lines", async () => [named(await upload(fixture), "a\nb")]],
  ])("refuses %s", async (_what, evidence) => {
    const answer = await post({ ...chargeback, evidence: await evidence() });
    expect(answer.statusCode, answer.body).toBe(400);
  });

  it("claims nothing when the report itself is refused", async () => {
    const file = await upload(fixture);
    const body = { ...chargeback, transaction_date: "2999-01-01", evidence: [named(file)] };
    expect((await post(body)).statusCode).toBe(400);
    expect(await reportOf(file.id)).toBeNull();
    expect((await deleteUpload(fixture, file.id, file.secret)).statusCode).toBe(200);
  });

  it("keeps its files from being removed by the uploader", async () => {
    const file = await upload(fixture);
    await submit(fixture, { ...chargeback, evidence: [named(file)] });
    const answer = await deleteUpload(fixture, file.id, file.secret);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().error.code).toBe("upload_used");
    expect(await isStored(file.id)).toBe(true);
  });
});

describe("an erased report", () => {
  it("loses the keys, bytes and rows of its files", async () => {
    const [one, two] = [await upload(fixture), await upload(fixture)];
    const id = await submit(fixture, { ...chargeback, evidence: [named(one), named(two)] });
    await eraseReport(fixture, id);
    expect((await typesOf(id)).slice(-3)).toEqual([
      "EvidenceErased",
      "EvidenceErased",
      "ReportErased",
    ]);
    for (const file of [one, two]) {
      expect(await keyOf(file.id)).toBe("destroyed");
      expect(await isStored(file.id)).toBe(false);
      expect(await reportOf(file.id)).toBeUndefined();
    }
  });

  it("loses files that a killed process or an older version left behind", async () => {
    const file = await upload(fixture);
    const id = await submit(fixture, { ...chargeback, evidence: [named(file)] });
    const { keys, store } = fixture.api;
    const erased: string[] = [];
    const files = {
      async erase(ids: readonly string[], at: string) {
        erased.push(...ids);
        await keys.destroy(ids.map(subjects.file), at);
      },
    };
    const removal = new UploadRemoval({ uploads: new UploadStore(fixture.db), files, store });
    const follower = () => erasureFollower(fixture, removal);
    await follower().run(new Date().toISOString());
    expect(erased).not.toContain(file.id);
    await fixture.db.query("create table kept_uploads as select * from command.upload");
    await eraseReport(fixture, id);
    await fixture.db.query("insert into command.upload select * from kept_uploads where id = $1", [
      file.id,
    ]);
    await follower().run(new Date().toISOString());
    expect(erased).toContain(file.id);
    expect(await reportOf(file.id)).toBeUndefined();
  });
});

describe("claimed files", () => {
  it("stay if the report arrives, and are removed a day after the claim if it doesn't", async () => {
    const [kept, lost] = [await upload(fixture), await upload(fixture)];
    const id = await submit(fixture, { ...chargeback, evidence: [named(kept)] });
    await fixture.db.query(
      "update command.upload set report_id = $2, claimed_at = now() where id = $1",
      [lost.id, randomUUID()],
    );
    const erased: string[] = [];
    const files = { erase: async (ids: readonly string[]) => void erased.push(...ids) };
    const uploads = new UploadStore(fixture.db);
    const removal = new UploadRemoval({ uploads, files, store: fixture.api.store });
    await removal.sweep(Date.now() + 23 * 3_600_000);
    expect(erased).not.toContain(lost.id);
    await removal.sweep(Date.now() + 25 * 3_600_000);
    expect(erased).toContain(lost.id);
    expect(erased).not.toContain(kept.id);
    expect(await reportOf(kept.id)).toBe(id);
  });
});

describe("a reveal", () => {
  const look = (id: string, reveal: string, file: string, as: "admin" | "user" = "admin") =>
    fixture.call("POST", `${admin(id, "/reveals")}/${reveal}/files/${file}`, { body: {}, as });
  const viewsOf = async (id: string) =>
    (
      await fixture.db.query(
        `select type, data from event_log.event
         where type in ('PersonalDataViewed', 'EvidenceViewed') and data->>'report_id' = $1`,
        [id],
      )
    ).rows;

  it("is one event that lists the files, and opens each of them for 15 minutes", async () => {
    const [one, two] = [await upload(fixture), await upload(fixture)];
    const id = await submit(fixture, {
      ...chargeback,
      evidence: [named(one, "a.pdf"), named(two)],
    });
    const shown = await fixture.call("POST", admin(id, "/reveal"), { body: {}, as: "admin" });
    const { reveal_id } = shown.json().data;
    for (const file of [one, two, one]) {
      const answer = await look(id, reveal_id, file.id);
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.headers["content-length"]).toBe(String(file.size));
    }
    expect(await viewsOf(id)).toEqual([
      {
        type: "PersonalDataViewed",
        data: {
          report_id: id,
          revision: 2,
          parts: ["personal", "reporter"],
          files: [one.id, two.id],
        },
      },
    ]);
    // Not another report, another file, an unknown reveal, or someone without the role.
    const other = await upload(fixture);
    const others = await submit(fixture, { ...chargeback, evidence: [named(other)] });
    for (const [of, reveal, file] of [
      [others, reveal_id, other.id],
      [id, reveal_id, other.id],
      [id, randomUUID(), one.id],
    ] as const)
      expect((await look(of, reveal, file)).statusCode).toBe(403);
    expect((await look(id, reveal_id, one.id, "user")).statusCode).toBe(403);

    const { rows } = await fixture.db.query(
      "select metadata from event_log.event where stream = $1",
      [`access-${reveal_id}`],
    );
    const { actor, time } = rows[0].metadata;
    const views = new EvidenceViewService(fixture.api);
    const openAfter = (ms: number, by = actor) => {
      const now = new Date(Date.parse(time) + ms).toISOString();
      return views.openRevealed(id, one.id, reveal_id, { actor: by, now });
    };
    (await openAfter(REVEAL_MS)).content.destroy();
    await expect(openAfter(REVEAL_MS + 1)).rejects.toMatchObject({ code: "forbidden" });
    const another = { ...actor, id: randomUUID() };
    await expect(openAfter(0, another)).rejects.toMatchObject({ code: "forbidden" });

    // A deleted report is hidden from everyone, though its files remain for another day.
    const spam = { body: { reason_code: "spam" }, as: "admin" } as const;
    expect((await fixture.call("DELETE", admin(id), spam)).statusCode).toBe(200);
    expect((await look(id, reveal_id, one.id)).statusCode).toBe(410);
  });
});
