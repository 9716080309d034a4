import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createS3Client } from "#files/s3/s3-file-store.ts";
import { readS3Url, type S3Address } from "#files/s3/s3-url.ts";
import { noS3, openTestS3 } from "#test-kit/s3/s3-server.ts";
import { ArchiveBucket } from "./archive-bucket.ts";
import { type BackupPlaces, type KeepOptions, keepBackup, listBackups } from "./backups.ts";
import type { PlaceMemory } from "./markers.ts";
import { ArchiveFolder, type ArchivePlace } from "./place.ts";
import type { TestRegistry } from "./testing/history.ts";
import { memoryRegistry } from "./testing/memory-registry.ts";

const at = (day: number, minute = 0) =>
  `2026-11-${String(day).padStart(2, "0")}T02:${String(minute).padStart(2, "0")}:00.000Z`;
const named = (time: string) => `registry-${time.toLowerCase().replaceAll(/[:.]/g, "-")}`;

type Place = (name: string) => ArchivePlace;

const folders = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "registry-rotated-"));
  const place: Place = (name) => new ArchiveFolder(path.join(folder, name));
  return { place, close: () => rm(folder, { recursive: true, force: true }) };
};

const buckets = async () => {
  const { url, kill } = await openTestS3();
  const Bucket = `rotated-${randomUUID()}`;
  const address = (name: string) => {
    const at = new URL(url);
    at.pathname = `/${Bucket}/${name}`;
    return readS3Url(at.href) as S3Address;
  };
  const client = createS3Client(address("x"), 15_000);
  await client.send(new CreateBucketCommand({ Bucket }));
  client.destroy();
  const place: Place = (name) => new ArchiveBucket(address(name));
  return { place, close: kill };
};

describe.each([
  { where: "folders", open: folders, absent: undefined },
  { where: "buckets", open: buckets, absent: noS3 },
])("backups in $where", ({ open, absent }) => {
  describe.skipIf(absent)(absent ? `(skipped: ${absent})` : "that are older", () => {
    let opened: { place: Place; close(): Promise<unknown> };
    let registry: TestRegistry;
    let pair: string | undefined;
    const memory: PlaceMemory = {
      recall: async () => pair,
      remember: async (given) => {
        pair = given;
      },
    };
    beforeAll(async () => {
      opened = await open();
      registry = await memoryRegistry();
      await registry.grow();
    }, 180_000);
    afterAll(() => opened?.close());

    const placesAt = (data: string, keys: string): BackupPlaces => ({
      data: opened.place(data),
      keys: opened.place(keys),
    });
    async function keep(time: string, places: BackupPlaces, options: Partial<KeepOptions> = {}) {
      const { masterKeys, source } = registry;
      const step = async () => undefined;
      await using made = await source({ masterKeys: masterKeys(), hasFiles: true, step });
      const now = () => new Date(time);
      return await keepBackup(made, places, { memory, days: 2, now, ...options });
    }
    const kept = async (places: BackupPlaces) =>
      (await listBackups(places, registry.masterKeys())).map(({ name, state }) =>
        state === "opens" ? name : `${name} ${state}`,
      );

    it("stay with all others of their day, and are removed with their keys after the set number of days", async () => {
      const places = placesAt("archives", "keys");
      for (const time of [at(9), at(10), at(10, 1), at(10, 2)]) await keep(time, places);
      expect(await kept(places)).toEqual([at(9), at(10), at(10, 1), at(10, 2)].map(named));
      expect((await keep(at(11), places)).removed).toEqual([named(at(9))]);
      expect(await kept(places)).toEqual([at(10), at(10, 1), at(10, 2), at(11)].map(named));
    });

    it("are refused a place that is not mounted, mistyped, swapped or another registry's, and nothing changes", async () => {
      const places = placesAt("archives", "keys");
      const before = await kept(places);
      const empty = opened.place("empty");
      await expect(keep(at(12), { ...places, data: empty })).rejects.toThrow(
        /^4 sets of keys but no archives in BACKUP_URL \(.*empty.*\): is the disk mounted\? Nothing was written or removed\. If this is a new place, run npm run backup -- --new-place$/,
      );
      await expect(keep(at(12), { ...places, keys: empty })).rejects.toThrow(
        /^4 archives but no sets of keys in BACKUP_KEYS_URL/,
      );
      await expect(keep(at(12), { data: places.keys, keys: places.data })).rejects.toThrow(
        "BACKUP_URL and BACKUP_KEYS_URL are swapped",
      );
      expect(await empty.list()).toEqual([]);
      expect(await empty.readMarker()).toBeUndefined();
      expect(await kept(places)).toEqual(before);

      const own = registry;
      registry = await memoryRegistry();
      await expect(keep(at(12), places)).rejects.toThrow(/belongs to another registry/);
      registry = own;
    });

    it("stay when a new place is accepted, as do keys without their archive", async () => {
      const places = { ...placesAt("new", "keys") };
      const { made, lone } = await keep(at(20), places, { newPlace: true });
      expect(lone).toEqual({ archives: 0, keys: 4 });
      for (const day of [21, 22]) await keep(at(day), places);
      const old = await kept(placesAt("archives", "keys"));
      expect(old.slice(0, 4)).toEqual([at(10), at(10, 1), at(10, 2), at(11)].map(named));
      expect(await kept(places)).not.toContain(made.name);
    });

    it("stay if a person named them", async () => {
      const places = placesAt("named-archives", "named-keys");
      await keep(at(1), places, { newPlace: true });
      for (const place of [places.data, places.keys]) {
        const copy = await place.open(named(at(1)));
        await place.put("registry-before-the-move", Readable.from(copy));
      }
      for (const day of [2, 3, 4]) await keep(at(day), places);
      expect(await kept(places)).toEqual([named(at(3)), named(at(4)), "registry-before-the-move"]);
    });
  });
});
