import { describe, expect, it } from "vitest";
import { openFileStore } from "../file-stores.ts";
import { readS3Url } from "./s3-url.ts";

describe("an S3 URL", () => {
  it("contains the server, bucket, folder, region and credentials", () => {
    expect(
      readS3Url("s3://AKIA:a%2Fb%2B@s3.eu-central-1.amazonaws.com/evidence?region=eu-central-1"),
    ).toEqual({
      endpoint: "https://s3.eu-central-1.amazonaws.com",
      region: "eu-central-1",
      bucket: "evidence",
      prefix: "",
      credentials: { accessKeyId: "AKIA", secretAccessKey: "a/b+" },
    });
    expect(readS3Url("s3://key:secret@minio:9000/bucket/registry/files/?tls=false")).toMatchObject({
      endpoint: "http://minio:9000",
      region: "us-east-1",
      bucket: "bucket",
      prefix: "registry/files/",
    });
  });

  it.each([
    "s3://minio:9000/bucket",
    "s3://key@minio/bucket",
    "s3://key:hunter2@minio",
    "s3://key:hunter2@minio/",
    "s3://key:hunter2@minio/B",
    "s3://key:hunter2@minio/bucket?tls=no",
    "s3://key:hunter2@minio/bucket?region=a%20b",
    "s3://key:hunter2@minio/bucket/a b",
  ])("rejects %s without repeating it", async (url) => {
    expect(readS3Url(url)).toBeUndefined();
    const refusal = await openFileStore(url).catch(String);
    expect(refusal).toMatch(/FILES_URL must look like s3:/);
    expect(refusal).not.toContain("hunter2");
  });
});
