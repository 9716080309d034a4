import { execFile } from "node:child_process";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { COPY_SIDE } from "#contracts/report/evidence-rules.ts";
import { confined, decodePicture, PictureProcessFailed } from "./decode.ts";
import { FileRefused, Pictures, PicturesBusy } from "./pictures.ts";
import {
  animatedPng,
  animatedWebp,
  CANARY,
  hugePng,
  pdf,
  photo,
  zipEnd,
} from "./testing/made-files.ts";

const pictures = new Pictures();
afterAll(() => pictures.close());

const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height });

/** Returns the code with which a file is refused. */
async function refusal(bytes: Buffer): Promise<string> {
  const error = await pictures.prepare(bytes).then(
    ({ type }) => `kept as ${type}`,
    (reason: unknown) => reason,
  );
  if (!(error instanceof FileRefused)) return String(error);
  expect(error.message).toMatch(/^[A-Z].*\.$/);
  return error.code;
}

describe("a picture", () => {
  it.each(["png", "jpeg", "webp"] as const)(
    "of type %s is kept without its metadata, with a preview",
    async (type) => {
      const taken = await photo(type);
      expect(taken.includes(CANARY), "the file has metadata").toBe(true);
      expect((await sharp(taken).metadata()).exif).toBeDefined();
      const kept = await pictures.prepare(taken);
      if (kept.kind !== "picture") throw new Error(kept.kind);
      expect(kept).toMatchObject({ type: `image/${type}`, width: 30, height: 20 });
      for (const bytes of [kept.content, kept.preview]) {
        expect(bytes.includes(CANARY)).toBe(false);
        expect(bytes.includes("GPS")).toBe(false);
        const { exif, xmp, iptc, icc } = await sharp(bytes).metadata();
        expect({ exif, xmp, iptc, icc }).toEqual({});
      }
      expect((await sharp(kept.content).metadata()).format).toBe(type);
      expect(await sharp(kept.preview).metadata()).toMatchObject({ format: "webp", width: 30 });
      const [top] = await sharp(kept.content).raw().toBuffer();
      expect(top).toBeGreaterThan(240);
    },
  );

  it.each(["png", "jpeg", "webp"] as const)(
    "of type %s is published as WebP, upright, without metadata and no larger than needed",
    async (type) => {
      const taken = await photo(type, 6);
      const { content, width, height } = await pictures.publishable(taken);
      expect(content.includes(CANARY)).toBe(false);
      const { exif, xmp, iptc, icc, format } = await sharp(content).metadata();
      expect({ exif, xmp, iptc, icc, format }).toEqual({ format: "webp" });
      expect({ width, height }).toEqual(await sharp(content).metadata().then(sizeOf));
      const create = { width: 50, height: COPY_SIDE + 1, channels: 3, background: "#fff" } as const;
      const large = await pictures.publishable(await sharp({ create }).toFormat(type).toBuffer());
      expect(large.height).toBe(COPY_SIDE);
    },
  );

  it("is the only kind of file that can be published", async () => {
    for (const bytes of [pdf(), Buffer.alloc(0), Buffer.from("<svg/>"), await animatedWebp()])
      await expect(pictures.publishable(bytes)).rejects.toThrow(FileRefused);
  });

  it("is rotated upright according to its metadata", async () => {
    const kept = await pictures.prepare(await photo("jpeg", 6));
    expect(kept).toMatchObject({ width: 20, height: 30 });
  });

  it("has a preview of at most 480 pixels", async () => {
    const create = { width: 1920, height: 960, channels: 3, background: "blue" } as const;
    const kept = await pictures.prepare(await sharp({ create }).png().toBuffer());
    if (kept.kind !== "picture") throw new Error(kept.kind);
    expect(await sharp(kept.preview).metadata()).toMatchObject({ width: 480, height: 240 });
  });

  it("keeps nothing that followed its pixels", async () => {
    const polyglot = Buffer.concat([await photo("jpeg"), Buffer.from(CANARY), zipEnd()]);
    const kept = await pictures.prepare(polyglot);
    expect(kept.type).toBe("image/jpeg");
    expect(kept.content.includes(CANARY)).toBe(false);
    expect(kept.content.includes("PK\u0005\u0006")).toBe(false);
  });
});

describe("a file is refused with an explanation", () => {
  it.each([
    ["is empty", "empty", Buffer.alloc(0)],
    ["is a script with the name of a picture", "unknown_type", Buffer.from("#!/bin/sh\necho hi")],
    ["is an HTML page", "unknown_type", Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["is a drawing that could run scripts", "svg", Buffer.from("<svg onload='alert(1)'></svg>")],
    ["is a HEIC picture", "heic", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0", "latin1")],
    ["only starts like a PNG", "damaged", Buffer.from("\x89PNG\r\n\x1a\n<script>", "latin1")],
    ["only starts like a JPEG", "damaged", Buffer.from("\xff\xd8\xff<html>", "latin1")],
    ["only starts like a WebP", "damaged", Buffer.from("RIFF\x10\0\0\0WEBPVP8 xxxx", "latin1")],
    ["is a PDF that is cut off", "damaged", pdf().subarray(0, 40)],
    ["is a PDF and an archive", "suspicious", Buffer.concat([pdf(), zipEnd()])],
  ] as const)("if it %s", async (_title, code, bytes) => {
    expect(await refusal(bytes)).toBe(code);
  });

  it.each(["png", "jpeg", "webp"] as const)("if it is a truncated %s", async (type) => {
    const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
    const create = { width: 300, height: 300, channels: 3, background: "red", noise } as const;
    const whole = await sharp({ create })[type]().toBuffer();
    expect(await refusal(whole.subarray(0, whole.length / 2))).toBe("damaged");
    expect(await refusal(whole)).toBe(`kept as image/${type}`);
  });

  it("if its dimensions are too large, before anything is decoded", async () => {
    const bomb = hugePng(50_000, 50_000);
    expect(bomb.length).toBeLessThan(100_000);
    expect(await refusal(bomb)).toBe("too_large_picture");
    expect(await refusal(hugePng(10_000, 5001))).toBe("too_large_picture");
    // Decoding such a picture finds it damaged: it has no pixels below its 2000th row.
    expect(await refusal(hugePng(10_000, 5000))).toBe("damaged");
  });

  it("if it is animated", async () => {
    expect(await refusal(await animatedWebp())).toBe("animated");
    expect(await refusal(animatedPng(await photo("png")))).toBe("animated");
  });
});

it("a PDF is kept unchanged, whatever its name", async () => {
  const kept = await pictures.prepare(pdf());
  expect(kept).toEqual({ kind: "pdf", type: "application/pdf", content: pdf() });
});

it("pictures are processed one at a time, and rejected when too many are waiting", async () => {
  const one = await photo("png");
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => pictures.prepare(one)));
  const kept = results.filter(({ status }) => status === "fulfilled");
  const away = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(kept.length).toBeGreaterThanOrEqual(9);
  expect(away.length).toBeGreaterThan(0);
  for (const error of away) expect(error).toBeInstanceOf(PicturesBusy);
  await expect(pictures.prepare(one)).resolves.toMatchObject({ kind: "picture" });
}, 60_000);

it("closing stops the picture in progress and those waiting", async () => {
  const closing = new Pictures();
  const create = { width: 5000, height: 5000, channels: 3, background: "red" } as const;
  const large = await sharp({ create }).png().toBuffer();
  const all = Promise.allSettled([closing.prepare(large), closing.prepare(large)]);
  await closing.close();
  const [first, second] = await all;
  expect(first).toMatchObject({ status: "rejected", reason: expect.any(Error) });
  expect(second).toMatchObject({ status: "rejected", reason: expect.any(PicturesBusy) });
});

it("a process that uses too much memory is killed", async () => {
  await expect(decodePicture("png", hugePng(7000, 7000), { memory: 1_000_000 })).rejects.toThrow(
    PictureProcessFailed,
  );
});

it("a process that takes too long is killed", async () => {
  await expect(decodePicture("png", await photo("png"), { timeMs: 1 })).rejects.toThrow(
    PictureProcessFailed,
  );
});

it("a picture's process can't reach files, the network, other processes or environment variables", async () => {
  let reached = 0;
  const server = net.createServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const script = path.join(import.meta.dirname, "testing/confined-script.ts");
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [...confined(script), String(port)], { env: {} });
  const denied = "ERR_ACCESS_DENIED";
  expect(JSON.parse(stdout)).toEqual({
    variables: [],
    passwords: denied,
    environment: denied,
    configuration: denied,
    writing: denied,
    process: denied,
    thread: denied,
    datagram: denied,
    fetched: denied,
    network: denied,
  });
  expect(reached).toBe(0);
  server.close();
});
