import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { FILE_BYTES } from "#contracts/report/evidence-rules.ts";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";
import {
  deleteUpload,
  pdf,
  picture,
  sendFile,
  storedFiles,
  UPLOADS,
  upload,
} from "../testing/uploads.fixture.ts";
import {
  ALL_BYTES,
  ALL_FILES,
  NETWORK_BYTES,
  NETWORK_FILES,
  UploadStore,
  WIDE_BYTES,
} from "./upload.store.ts";
import { UploadRemoval } from "./upload-removal.ts";

const fixture = forFile(() => startCommandApi());

const rows = async (id: string) =>
  (await fixture.db.query("select * from command.upload where id = $1", [id])).rows;
const count = async () =>
  Number((await fixture.db.query("select count(*) from command.upload")).rows[0].count);
const keyOf = (id: string) => fixture.keyState(subjects.file(id));

describe("an upload", () => {
  it("is recognized by its content, stored encrypted, and answered with a secret", async () => {
    for (const [content, type] of [
      [pdf, "application/pdf"],
      [await picture("png"), "image/png"],
      [await picture("jpeg"), "image/jpeg"],
      [await picture("webp"), "image/webp"],
    ] as const) {
      const answer = await sendFile(fixture, content, { "content-type": "text/html" });
      expect(answer.statusCode, answer.body).toBe(200);
      const { id, secret, preview, ...told } = answer.json().data;
      expect(told).toMatchObject({ type });
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(Boolean(preview)).toBe(type !== "application/pdf");
      const stored = JSON.stringify(await rows(id));
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain("127.0.0.1");
      expect(await keyOf(id)).toBe("present");
      expect((await storedFiles(fixture)).some((name) => name.includes(id))).toBe(true);
    }
  });

  it.each([
    ["a script that is called a picture", Buffer.from("<script>alert(1)</script>")],
    ["a page", Buffer.from("<!doctype html><svg onload=alert(1)>")],
    ["nothing", Buffer.alloc(0)],
    ["a truncated picture", undefined],
  ])("is refused if it is %s, and leaves nothing behind", async (_what, content) => {
    const before = [await count(), (await storedFiles(fixture)).length];
    const whole = await picture("png", 400);
    const answer = await sendFile(fixture, content ?? whole.subarray(0, whole.length / 2));
    expect(answer.statusCode, answer.body).toBe(400);
    expect(answer.json()).toMatchObject({ success: false, error: { code: "file_refused" } });
    expect([await count(), (await storedFiles(fixture)).length]).toEqual(before);
  });

  it("is refused if it is too large, with or without a Content-Length", async () => {
    const before = await count();
    const large = Buffer.alloc(FILE_BYTES + 1, "x");
    const announced = await sendFile(fixture, large);
    expect(announced.statusCode).toBe(413);
    expect(announced.json().error.code).toBe("too_large");
    const streamed = await fixture.api.app.inject({
      method: "POST",
      url: UPLOADS,
      headers: { "content-type": "application/octet-stream" },
      payload: Readable.from([large.subarray(0, FILE_BYTES), large.subarray(FILE_BYTES)]),
    });
    expect(streamed.statusCode).toBe(413);
    expect(await count()).toBe(before);
  });

  it("can be removed only with its secret, and then is gone", async () => {
    const { id, secret } = await upload(fixture);
    const other = await upload(fixture);
    const wrong = await deleteUpload(fixture, id, other.secret);
    const unknown = await deleteUpload(fixture, randomUUID(), secret);
    expect(wrong.statusCode).toBe(404);
    expect(unknown.body).toBe(wrong.body);
    expect((await deleteUpload(fixture, id, secret)).statusCode).toBe(200);
    expect(await rows(id)).toEqual([]);
    expect(await keyOf(id)).toBe("destroyed");
    expect((await storedFiles(fixture)).some((name) => name.includes(id))).toBe(false);
    expect((await deleteUpload(fixture, id, secret)).statusCode).toBe(404);
  });
});

describe("unattached uploads", () => {
  const forSweep = () => {
    const { api, db } = fixture;
    const uploads = new UploadStore(db);
    const erased: string[] = [];
    const files = {
      async erase(ids: readonly string[], at: string) {
        erased.push(...ids);
        await api.keys.destroy(ids.map(subjects.file), at);
      },
    };
    return { erased, removal: new UploadRemoval({ uploads, files, store: api.store }) };
  };

  it("are removed after a day, and not before", async () => {
    const { id } = await upload(fixture);
    const { erased, removal } = forSweep();
    await removal.sweep(Date.now() + 23 * 3_600_000);
    expect(erased).not.toContain(id);
    await removal.sweep(Date.now() + 25 * 3_600_000);
    expect(erased).toContain(id);
    expect(await rows(id)).toEqual([]);
  });

  it("are all removed in one sweep, even ten thousand", async () => {
    await fixture.db.query(
      `insert into command.upload (id, secret_hash, network, bytes, created_at)
       select gen_random_uuid(), 'x', 'many' || n, 1, now() from generate_series(1, 10000) n`,
    );
    const { erased, removal } = forSweep();
    await removal.sweep(Date.now() + 25 * 3_600_000);
    expect(erased.length).toBeGreaterThanOrEqual(10_000);
    const left = await fixture.db.query("select from command.upload where report_id is null");
    expect(left.rowCount).toBe(0);
  });

  it("are bounded by what one network may send, and all of them, however small they are", async () => {
    const store = new UploadStore(fixture.db);
    const now = new Date().toISOString();
    const reserve = (network: string, bytes: number) =>
      store.reserve({
        id: randomUUID(),
        secretHash: "x",
        network,
        wideNetwork: network,
        bytes,
        now,
      });
    await Promise.all(Array.from({ length: NETWORK_FILES + 5 }, () => reserve("small", 1)));
    expect(await reserve("small", 1)).toEqual({ full: "network" });
    const { rows: small } = await fixture.db.query(
      "select count(*)::int as count from command.upload where network = 'small'",
    );
    expect(small[0].count).toBe(NETWORK_FILES);
    expect(await reserve("large", NETWORK_BYTES)).toEqual({ gaveWay: [] });
    expect(await reserve("large", 1)).toEqual({ full: "network" });
    await fixture.db.query(
      `insert into command.upload (id, secret_hash, network, bytes, created_at)
       select gen_random_uuid(), 'x', 'many' || n, 1, now() from generate_series(1, $1) n`,
      [ALL_FILES],
    );
    expect(await reserve("another", 1)).toEqual({ full: "all" });
    const answer = await sendFile(fixture, pdf);
    expect(answer.statusCode).toBe(503);
    await fixture.db.query("delete from command.upload where secret_hash = 'x'");
    await fixture.db.query(
      `insert into command.upload (id, secret_hash, network, bytes, created_at)
       select gen_random_uuid(), 'x', 'many' || n, $1, now() from generate_series(1, 32) n`,
      [ALL_BYTES / 32],
    );
    expect(await reserve("another", 1)).toEqual({ full: "all" });
    await fixture.db.query("delete from command.upload where secret_hash = 'x'");
    expect((await sendFile(fixture, pdf)).statusCode).toBe(200);
  });

  /** Complete files of 100 MB each, the last one the oldest. */
  const fill = async (wide: string, count: number, change = "") => {
    const { rows } = await fixture.db.query<{ id: string }>(
      `insert into command.upload (id, secret_hash, network, wide_network, bytes, type, created_at)
       select gen_random_uuid(), 'x', $1 || n, $1, $2, 'application/pdf', now() - n * interval '1 minute'
       from generate_series(1, $3) n order by n returning id`,
      [wide, NETWORK_BYTES, count],
    );
    const ids = rows.map(({ id }) => id);
    if (change)
      await fixture.db.query(`update command.upload set ${change} where id = $1`, [ids.at(-1)]);
    return ids;
  };

  it("are bounded by what a wide network may send, from any number of addresses", async () => {
    const ids = await fill("site", 5);
    const store = new UploadStore(fixture.db);
    const sent = {
      secretHash: "x",
      bytes: WIDE_BYTES - 5 * NETWORK_BYTES,
      now: new Date().toISOString(),
    };
    const of = (wideNetwork: string) => ({
      ...sent,
      id: randomUUID(),
      network: randomUUID(),
      wideNetwork,
    });
    expect(await store.reserve(of("site"))).toEqual({ gaveWay: [] });
    expect(await store.reserve({ ...of("site"), bytes: 1 })).toEqual({ full: "network" });
    expect(await store.reserve({ ...of("other"), bytes: 1 })).toEqual({ gaveWay: [] });
    expect(ids).toHaveLength(5);
    await fixture.db.query("delete from command.upload where secret_hash = 'x'");
  });

  it.each([
    ["files still arriving", "type = null"],
    [
      "files that a report has named since",
      "report_id = gen_random_uuid(), network = null, wide_network = null",
    ],
  ])(
    "of the largest network are evicted when space runs out, oldest first, but not %s",
    async (_what, change) => {
      const stranger = await fill("small", 4);
      const [, , , , fifth = "", sixth = ""] = await fill("large", 6, change);
      const other = await fill("middle", 5);
      const more = await fill("medium", 5);
      // A file that a report names takes no space.
      const rest = ALL_BYTES - (change.startsWith("report_id") ? 19 : 20) * NETWORK_BYTES;
      await fixture.db.query(
        `insert into command.upload (id, secret_hash, network, wide_network, bytes, created_at)
       values (gen_random_uuid(), 'x', 'rest', 'rest', $1, now())`,
        [rest],
      );
      const answer = await sendFile(fixture, pdf);
      expect(answer.statusCode, answer.body).toBe(200);
      const { rows: left } = await fixture.db.query<{ id: string }>(
        "select id from command.upload where id = any($1) and removed_at is null",
        [[...stranger, fifth, sixth, ...other, ...more]],
      );
      const ids = left.map(({ id }) => id);
      expect(ids).not.toContain(fifth);
      expect(ids).toHaveLength(4 + 1 + 5 + 5);
      expect(ids).toContain(sixth);
      await fixture.db.query("delete from command.upload");
    },
  );

  it("are removed after two hours once half the space is used", async () => {
    const { id } = await upload(fixture);
    const { erased, removal } = forSweep();
    const ids = await fill("half", 10);
    await removal.sweep(Date.now() + 2.1 * 3_600_000);
    expect(erased).not.toContain(id);
    await fill("half-again", 1);
    await removal.sweep(Date.now() + 1.5 * 3_600_000);
    expect(erased).not.toContain(id);
    await removal.sweep(Date.now() + 2.1 * 3_600_000);
    expect(erased).toEqual(expect.arrayContaining([id, ...ids]));
  });

  it("from a network over its limit are refused with the time to wait", async () => {
    await upload(fixture);
    await fixture.db.query("update command.upload set bytes = $1 where network is not null", [
      NETWORK_BYTES,
    ]);
    const answer = await sendFile(fixture, pdf);
    expect(answer.statusCode).toBe(429);
    expect(answer.headers["retry-after"]).toBe("3600");
    await fixture.db.query("delete from command.upload");
  });
});
