import { randomBytes, randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createS3Client } from "#files/s3/s3-file-store.ts";
import { readS3Url, type S3Address } from "#files/s3/s3-url.ts";
import { noS3, openTestS3, type S3Server } from "#test-kit/s3/s3-server.ts";
import { ArchiveBucket } from "./archive-bucket.ts";
import { ABANDONED_MS, ArchiveFolder } from "./place.ts";

const MB = 1024 * 1024;
const Bucket = `archives-${randomUUID()}`;
const absent = noS3 ? ` (skipped: ${noS3})` : "";

describe.skipIf(absent)(`archives in a bucket${absent}`, () => {
  let server: Pick<S3Server, "url" | "kill">;
  let client: S3Client;
  beforeAll(async () => {
    server = await openTestS3();
    client = createS3Client(at("x"), 15_000);
    await client.send(new CreateBucketCommand({ Bucket }));
  }, 180_000);
  afterAll(async () => {
    client?.destroy();
    await server?.kill();
  });

  const at = (folder: string, bucket = Bucket): S3Address => {
    const url = new URL(server.url);
    url.pathname = `/${bucket}/${folder}`;
    return readS3Url(url.href) as S3Address;
  };
  const place = (folder: string) => new ArchiveBucket(at(folder), { partBytes: 5 * MB });
  async function* pieces(content: Buffer) {
    for (let from = 0; from < content.length; from += 700_000)
      yield content.subarray(from, from + 700_000);
  }
  const uploads = async (folder: string) => {
    const command = new ListMultipartUploadsCommand({ Bucket, Prefix: `${folder}/` });
    return (await client.send(command)).Uploads ?? [];
  };
  const objects = async (folder: string) => {
    const command = new ListObjectsV2Command({ Bucket, Prefix: `${folder}/` });
    return ((await client.send(command)).Contents ?? []).map(({ Key }) => Key);
  };

  it("are stored in parts, listed by age, read back unchanged, and removed", async () => {
    const bucket = place("kept");
    const content = randomBytes(12 * MB);
    const where = await bucket.put("registry-2", pieces(content));
    await bucket.put("registry-1", pieces(randomBytes(10)));
    expect(where).toBe(`s3://${server.url.host}/${Bucket}/kept/registry-2.tar.zst`);
    expect(await bucket.list()).toEqual([
      { name: "registry-1", bytes: 10 },
      { name: "registry-2", bytes: content.length },
    ]);
    expect((await buffer(await bucket.open("registry-2"))).equals(content)).toBe(true);
    await bucket.remove("registry-2");
    await bucket.remove("registry-2");
    await expect(bucket.open("registry-2")).rejects.toThrow(`There is no archive ${where}.`);
    expect(await uploads("kept")).toEqual([]);
  });

  it("do not appear until complete, and leave nothing behind if writing fails", async () => {
    const bucket = place("broken");
    const broken = new Error("stopped");
    async function* fails() {
      yield* pieces(randomBytes(6 * MB));
      expect(await bucket.list()).toEqual([]);
      throw broken;
    }
    await expect(bucket.put("registry-3", fails())).rejects.toBe(broken);
    expect([await objects("broken"), await uploads("broken")]).toEqual([[], []]);
  });

  it("leave other objects in the bucket alone", async () => {
    const bucket = place("shared");
    for (const Key of ["shared/notes.txt", "shared/registry-1.tar", "shared/a/registry-1.tar.zst"])
      await client.send(new PutObjectCommand({ Bucket, Key, Body: "x" }));
    expect(await bucket.list()).toEqual([]);
  });

  it("of a killed writer are removed a day later, but not other uploads", async () => {
    const bucket = place("late");
    for (const Key of ["late/registry-4.tar.zst", "late/video.mp4"])
      await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    await bucket.removeAbandoned();
    expect(await uploads("late")).toHaveLength(2);
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + ABANDONED_MS + 60_000);
    try {
      await bucket.removeAbandoned();
    } finally {
      vi.restoreAllMocks();
    }
    expect((await uploads("late")).map(({ Key }) => Key)).toEqual(["late/video.mp4"]);
  });

  it("contain every place inside their folder, and no other", () => {
    const [outer, inner, other] = [place("a"), place("a/keys"), place("b")];
    expect([outer.holds(outer), outer.holds(inner), inner.holds(outer)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([outer.holds(other), outer.holds(new ArchiveFolder("/a"))]).toEqual([false, false]);
  });

  it("cannot be kept if the bucket is missing or the key is wrong; the error reveals no credentials", async () => {
    const nowhere = new ArchiveBucket(at("x", `gone-${randomUUID()}`));
    const credentials = { accessKeyId: "other", secretAccessKey: "canary-secret" };
    const refused = new ArchiveBucket({ ...at("x"), credentials });
    for (const bucket of [nowhere, refused]) {
      const error = await bucket.put("registry-5", pieces(randomBytes(10))).catch((each) => each);
      expect(error).toMatchObject({ reason: "unwritable" });
      expect(error.message).toMatch(/can't be accessed \((403|404)\)/);
      expect(error.message).not.toMatch(/canary-secret|other|test-key/);
    }
  });
});
