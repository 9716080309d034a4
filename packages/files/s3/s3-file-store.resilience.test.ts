import { randomBytes, randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { CreateBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noS3, openTestS3, type S3Server, s3, startS3Server } from "#test-kit/s3/s3-server.ts";
import { fileStoreContract } from "../contract-suite.ts";
import { type FileStore, FilesUnavailable } from "../port.ts";
import { openS3FileStore } from "./s3-file-store.ts";
import { readS3Url, type S3Address } from "./s3-url.ts";

const absent = noS3 ? ` (skipped: ${noS3})` : "";
const noOwn = "absent" in s3 ? ` (skipped: ${s3.absent})` : "";
const run = randomUUID();

async function* content(bytes = Buffer.from("content")) {
  yield bytes;
}

const calls = (store: FileStore) => [
  () => store.ping(),
  () => store.size("a"),
  () => store.get("a"),
  () => store.put("a", content(), 9),
  () => store.delete(["a"]),
];

describe.skipIf(absent)(`S3${absent}`, () => {
  let server: Pick<S3Server, "url" | "kill">;
  beforeAll(async () => {
    server = await openTestS3();
  }, 180_000);
  afterAll(() => server?.kill());

  const at = (path: string, credentials?: S3Address["credentials"]): S3Address => {
    const url = new URL(server.url);
    url.pathname = path;
    const address = readS3Url(url.href) as S3Address;
    return credentials ? { ...address, credentials } : address;
  };

  fileStoreContract("a bucket", async () => {
    const store = openS3FileStore(at(`/whole-${run}`), { pageSize: 10 });
    return { store, close: () => store.close() };
  });

  fileStoreContract("a folder of a bucket", async () => {
    const { endpoint, region, credentials } = at(`/shared-${run}`);
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    const Bucket = `shared-${run}`;
    await client.send(new CreateBucketCommand({ Bucket }));
    for (const Key of ["other.txt", "files-of-others", "registry/files/not an id"])
      await client.send(new PutObjectCommand({ Bucket, Key, Body: "other" }));
    client.destroy();
    const store = openS3FileStore(at(`/shared-${run}/registry/files`), { pageSize: 10 });
    return { store, close: () => store.close() };
  });

  it("reports a wrong secret as unavailable, without naming anything", async () => {
    const { accessKeyId } = at("/other").credentials;
    const store = openS3FileStore(at("/other", { accessKeyId, secretAccessKey: "hunter2" }));
    for (const call of calls(store))
      await expect(call()).rejects.toThrow(new FilesUnavailable("the file store failed (403)"));
    await store.close();
  });

  it("sends nothing before the first call, then creates its bucket once", async () => {
    const stores = Array.from({ length: 4 }, () => openS3FileStore(at(`/together-${run}`)));
    await Promise.all(stores.map((store, i) => store.put(`file-${i}`, content(), 9)));
    const found: string[] = [];
    for await (const { id } of (stores[0] as (typeof stores)[0]).list()) found.push(id);
    expect(found).toEqual(["file-0", "file-1", "file-2", "file-3"]);
    await Promise.all(stores.map((store) => store.close()));
  });

  it.skipIf(noOwn)(
    `reports that it is unavailable when the server hangs, or dies during a read${noOwn}`,
    async () => {
      const own = await startS3Server();
      const url = new URL(own.url);
      url.pathname = "/bucket";
      const address = readS3Url(url.href) as S3Address;
      const store = openS3FileStore(address);
      const impatient = openS3FileStore(address, { callLimitMs: 500 });
      await store.put("large", content(randomBytes(8_000_000)), 9_000_000);
      await own.freeze();
      await Promise.all(
        calls(impatient).map((call) => expect(call()).rejects.toThrow(FilesUnavailable)),
      );
      own.thaw();
      const reading = await store.get("large");
      await own.kill();
      await expect(buffer(reading as NonNullable<typeof reading>)).rejects.toThrow(
        FilesUnavailable,
      );
      for (const call of calls(store)) await expect(call()).rejects.toThrow(FilesUnavailable);
      await store.close();
      await impatient.close();
    },
    180_000,
  );
});
