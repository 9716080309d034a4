import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { acceptedEncoding, encode } from "./security-headers.ts";

describe("a page's encoding", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["BR", "br"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["*", "br"],
    ["*;q=0", undefined],
    ["br;q=0, *", "gzip"],
  ])("for %s is %s", (header, encoding) => {
    expect(acceptedEncoding(header)).toBe(encoding);
  });

  it("decodes to the same text", async () => {
    const text = "Ærlig. ".repeat(100);
    expect(brotliDecompressSync(await encode(text, "br")).toString()).toBe(text);
    expect(gunzipSync(await encode(text, "gzip")).toString()).toBe(text);
  });
});
