import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createS3Client } from "#files/s3/s3-client.ts";
import { readS3Url, type S3Address } from "#files/s3/s3-url.ts";
import { noS3, openTestS3 } from "#test-kit/s3/s3-server.ts";
import { ArchiveFolder } from "./archive-folder.ts";
import type { BackupPlaces } from "./backup.ts";
import { rotateBackups } from "./kept-backups.ts";
import type { ArchivePlace } from "./place.ts";
import { ArchiveBucket } from "./s3/archive-bucket.ts";

const [FIRST, SECOND, THIRD] = ["09", "10", "11"].map(
  (day) => `registry-2026-11-${day}t02-00-00-000z`,
) as [string, string, string];
const pressed = (minute: number) => `registry-2026-11-11t09-0${minute}-00-000z`;
const NAMED = "registry-before-the-move";

async function put(name: string, ...places: readonly ArchivePlace[]): Promise<void> {
  for (const place of places) await place.put(name, Readable.from([Buffer.from(name)]));
}

const folders = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "registry-rotated-"));
  const at = (name: string) => new ArchiveFolder(path.join(folder, name));
  const close = () => rm(folder, { recursive: true, force: true });
  return { data: at("archives"), keys: at("keys"), close };
};

const buckets = async () => {
  const { url, kill } = await openTestS3();
  const Bucket = `rotated-${randomUUID()}`;
  const at = (name: string) => {
    const address = new URL(url);
    address.pathname = `/${Bucket}/${name}`;
    return readS3Url(address.href) as S3Address;
  };
  const client = createS3Client(at("x"), 15_000);
  await client.send(new CreateBucketCommand({ Bucket }));
  client.destroy();
  return {
    data: new ArchiveBucket(at("archives")),
    keys: new ArchiveBucket(at("keys")),
    close: kill,
  };
};

describe.each([
  { where: "folders", open: folders, absent: undefined },
  { where: "buckets", open: buckets, absent: noS3 },
])("backups in $where", ({ open, absent }) => {
  describe.skipIf(absent)(absent ? `(skipped: ${absent})` : "that are older", () => {
    let places: BackupPlaces & { close(): Promise<unknown> };
    beforeAll(async () => {
      places = await open();
    }, 180_000);
    afterAll(() => places?.close());

    it("stay whatever the button makes on a later day, and go with their keys after so many days", async () => {
      const kept = async () => {
        const [data, keys] = await Promise.all([places.data.list(), places.keys.list()]);
        expect(keys.map(({ name }) => name)).toEqual(data.map(({ name }) => name));
        return data.map(({ name }) => name);
      };
      for (const name of [FIRST, SECOND, NAMED]) await put(name, places.data, places.keys);
      for (const minute of [1, 2, 3]) {
        await put(pressed(minute), places.data, places.keys);
        await rotateBackups(places, 2);
      }
      expect(await kept()).toEqual([SECOND, pressed(1), pressed(3), NAMED]);
      await put(THIRD, places.data, places.keys);
      expect(await rotateBackups(places, 1)).toEqual([SECOND, pressed(1)]);
      expect(await kept()).toEqual([THIRD, pressed(3), NAMED]);
    });

    it("keep no keys that are older than all archives, and those of one that is being made", async () => {
      const [lone, made] = [FIRST, "registry-2026-11-12t02-00-00-000z"];
      for (const name of [lone, made]) await put(name, places.keys);
      expect(await rotateBackups(places, 2)).toEqual([]);
      const keys = (await places.keys.list()).map(({ name }) => name);
      expect([keys.includes(lone), keys.includes(made)]).toEqual([false, true]);
    });
  });
});
