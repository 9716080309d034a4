import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createS3Client } from "#files/s3/s3-file-store.ts";
import { readS3Url, type S3Address } from "#files/s3/s3-url.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { noS3, openTestS3, type S3Server } from "#test-kit/s3/s3-server.ts";
import { runCommand } from "./support/registry.ts";

const absent = noS3 ? ` (skipped: ${noS3})` : "";
const bucket = `backups-${randomUUID()}`;

describe.skipIf(absent)(`backups in a bucket${absent}`, { timeout: 180_000 }, () => {
  let server: Pick<S3Server, "url" | "kill">;
  let folder: string;
  let from: TestDatabase;
  let to: TestDatabase;
  beforeAll(async () => {
    server = await openTestS3();
    folder = await mkdtemp(path.join(os.tmpdir(), "registry-backup-s3-"));
    await writeFile(path.join(folder, "master-key"), `${"ab".repeat(32)}\n`);
    [from, to] = await Promise.all([freshDatabase(), freshDatabase()]);
    const client = createS3Client(readS3Url(s3("data")) as S3Address, 15_000);
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    client.destroy();
  }, 180_000);
  afterAll(async () => {
    await from?.drop();
    await to?.drop();
    await server?.kill();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const s3 = (name: string) => {
    const url = new URL(server.url);
    url.pathname = `/${bucket}/${name}`;
    return url.href;
  };
  const at = (name: string) => `file://${folder}/${name}`;
  const run = (command: string, args: string[], { url }: TestDatabase, more = {}, input?: string) =>
    runCommand(command, args, {
      dataDir: path.join(folder, "data"),
      env: {
        DATABASE_URL: url,
        MASTER_KEY_FILE: path.join(folder, "master-key"),
        FILES_URL: at(url === from.url ? "files" : "restored"),
        ERASURES_URL: at("erasures"),
        BACKUP_URL: s3("data"),
        BACKUP_KEYS_URL: s3("keys"),
        BACKUP_KEEP: "2",
        ...more,
      },
      ...(input === undefined ? {} : { input }),
    });

  it("are made, listed, verified and restored like those in folders", async () => {
    const account = ["--role", "admin", "--email", "ann@b.example", "--password-stdin"];
    expect(await run("account-add", account, from, {}, "Correct-horse-9\n")).toMatchObject({
      code: 0,
    });
    expect(await run("rebuild", ["all"], from)).toMatchObject({ code: 0 });
    const names: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const made = await run("backup", [], from);
      expect(made, made.output).toMatchObject({ code: 0 });
      // The output does not show the bucket's key.
      expect(made.output).not.toContain(decodeURIComponent(server.url.password));
      names.push(/registry-[0-9a-z-]+/.exec(made.output)?.[0] ?? "");
    }
    const last = names.at(-1) ?? "";
    const listed = (await run("backup", ["list"], from)).output;
    // All backups of one day are kept. The first two lines name the places.
    expect(listed.trim().split("\n")).toHaveLength(5);
    expect(names.filter((name) => listed.includes(name))).toEqual(names);
    expect(listed).not.toContain(decodeURIComponent(server.url.password));
    expect(await run("backup", ["verify", last], from)).toMatchObject({
      code: 0,
      output: expect.stringContaining(`The backup ${last} of `),
    });
    expect((await run("backup", ["verify", "registry-none"], from)).output).toContain(
      "There is no archive",
    );

    const restored = await run("restore", [last], to);
    expect(restored, restored.output).toMatchObject({ code: 0 });
    expect((await run("audit-verify", [], to)).output).toMatch(/All \d+ events .* are verified/);
  });

  it("are refused if the keys would be with the archive, or if the bucket does not exist", async () => {
    const same = await run("backup", [], from, { BACKUP_KEYS_URL: s3("data/keys") });
    expect(same).toMatchObject({
      code: 1,
      output: expect.stringContaining("must not be kept with the archive"),
    });
    const gone = await run("backup", [], from, {
      BACKUP_URL: s3("data").replace(bucket, "nobodys"),
    });
    expect(gone).toMatchObject({
      code: 1,
      output: expect.stringContaining("can't be accessed (404)"),
    });
    expect((await run("backup", ["list"], from)).output.trim().split("\n")).toHaveLength(5);
  });
});
