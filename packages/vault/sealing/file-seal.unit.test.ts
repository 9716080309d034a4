import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SealBroken } from "./box.ts";
import {
  FILE_HEADER_BYTES,
  FileOpener,
  layoutOf,
  PIECE_BYTES,
  sealFile,
  storedBytesOf,
  storedPlace,
} from "./file-seal.ts";

const key = randomBytes(32);
const ID = "0b8e7c9e-8a51-4c43-9f0a-3f1f5f9a0001";

async function* given(...chunks: readonly Buffer[]) {
  yield* chunks;
}

const seal = (content: Buffer, id = ID, of = key) => buffer(sealFile(of, id, given(content)));

/** Opens a whole stored file, with the layout that its length implies. */
function open(stored: Buffer, id = ID, of = key): Buffer {
  const layout = layoutOf(stored.length);
  const opener = new FileOpener(of, id, stored.subarray(0, FILE_HEADER_BYTES), layout);
  const places = Array.from({ length: layout.pieces }, (_, piece) => piece);
  return Buffer.concat(
    places.map((piece) =>
      opener.open(piece, stored.subarray(storedPlace(piece), storedPlace(piece + 1))),
    ),
  );
}

/** Lengths around the boundaries of pieces and padding. */
const LENGTHS = [0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 131_071, 131_072, 200_000];

describe("a sealed file", () => {
  it.each(LENGTHS)("of %i bytes opens to what was sealed", async (length) => {
    const content = randomBytes(length);
    const stored = await seal(content);
    expect(stored).toHaveLength(storedBytesOf(length));
    expect(open(stored).equals(content)).toBe(true);
  });

  it("is the same however its content is chunked", async () => {
    const salt = randomBytes(32);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 30_000 }), { maxLength: 12 }),
        async (parts) => {
          const chunks = parts.map((part) => Buffer.from(part));
          const whole = await buffer(sealFile(key, ID, given(Buffer.concat(chunks)), salt));
          const cut = await buffer(sealFile(key, ID, given(...chunks), salt));
          expect(cut.equals(whole)).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("hides its length except for steps of 4 KiB", async () => {
    expect(storedBytesOf(4096)).toBe(storedBytesOf(8191));
    expect(storedBytesOf(4095)).toBeLessThan(storedBytesOf(4096));
  });

  it("looks different each time, and shows nothing of its content", async () => {
    const content = Buffer.from("canary-in-a-file".repeat(100));
    const [one, two] = [await seal(content), await seal(content)];
    expect(one.subarray(4).equals(two.subarray(4))).toBe(false);
    expect(one.includes("canary")).toBe(false);
  });

  it("does not open when any one byte is changed", async () => {
    const stored = await seal(randomBytes(70_000));
    const last = stored.length - 1;
    for (const place of [0, 3, 4, 35, 36, 1000, 65_571, 65_572, 65_588, 65_600, last - 20, last]) {
      const changed = Buffer.from(stored);
      changed[place] = (changed[place] as number) ^ 1;
      expect(() => open(changed), `byte ${place}`).toThrow(SealBroken);
    }
  });

  it("does not open when truncated or extended, even at the end of a piece", async () => {
    const stored = await seal(randomBytes(2 * PIECE_BYTES + 5000));
    for (const length of [0, 35, 36, 52, 1000, stored.length - 1, stored.length - 4096])
      expect(() => open(stored.subarray(0, length)), `${length} bytes`).toThrow(SealBroken);
    // Without the mark of the last piece, this would be padding.
    const marks = await seal(Buffer.alloc(2 * PIECE_BYTES, 0x80));
    expect(() => open(marks.subarray(0, storedPlace(1)))).toThrow(SealBroken);
    for (const pieces of [1, 2])
      expect(() => open(stored.subarray(0, storedPlace(pieces)))).toThrow(SealBroken);
    expect(() => open(Buffer.concat([stored, Buffer.alloc(4096)]))).toThrow(SealBroken);
    expect(() => open(Buffer.concat([stored, stored.subarray(36)]))).toThrow(SealBroken);
  });

  it("does not open with reordered pieces, or with a piece from another write", async () => {
    const content = randomBytes(3 * PIECE_BYTES);
    const [stored, other] = [await seal(content), await seal(content)];
    const piece = (of: Buffer, i: number) => of.subarray(storedPlace(i), storedPlace(i + 1));
    const header = stored.subarray(0, FILE_HEADER_BYTES);
    const swapped = [
      header,
      piece(stored, 1),
      piece(stored, 0),
      piece(stored, 2),
      piece(stored, 3),
    ];
    const mixed = [header, piece(stored, 0), piece(other, 1), piece(stored, 2), piece(stored, 3)];
    expect(() => open(Buffer.concat(swapped))).toThrow(SealBroken);
    expect(() => open(Buffer.concat(mixed))).toThrow(SealBroken);
  });

  it("does not open under another id or another key", async () => {
    const stored = await seal(randomBytes(100));
    expect(() => open(stored, `${ID.slice(0, -1)}2`)).toThrow(SealBroken);
    expect(() => open(stored, ID, randomBytes(32))).toThrow(SealBroken);
  });

  it("of a later version is rejected", async () => {
    const stored = await seal(Buffer.from("x"));
    stored[3] = 2;
    expect(() => open(stored)).toThrow("a version that is not known here");
  });

  it("has only one padding for each length", async () => {
    // What a writer with the key, but without this rule, could store.
    const { createCipheriv, hkdfSync } = await import("node:crypto");
    const header = (await seal(Buffer.alloc(0))).subarray(0, FILE_HEADER_BYTES);
    const info = Buffer.from(`["file",1,"${ID}"]`);
    const pieceKey = Buffer.from(hkdfSync("sha256", key, header.subarray(4), info, 32));
    const sealed = (plain: Buffer) => {
      const nonce = Buffer.alloc(12);
      nonce[11] = 1;
      const cipher = createCipheriv("aes-256-gcm", pieceKey, nonce);
      return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    };
    const padded = (bytes: number, mark: number, value = 0x80) => {
      const plain = Buffer.alloc(bytes);
      plain[mark] = value;
      return plain;
    };
    expect(open(sealed(padded(8192, 8191)))).toHaveLength(8191);
    expect(open(sealed(padded(8192, 4096)))).toHaveLength(4096);
    for (const wrong of [padded(8192, 4095), Buffer.alloc(4096), padded(4096, 10, 0x81)])
      expect(() => open(sealed(wrong))).toThrow("a wrong padding");
    const marked = padded(4096, 10);
    marked[4095] = 1;
    expect(() => open(sealed(marked))).toThrow("a wrong padding");
  });

  it("is sealed with a key that is derived for it alone", async () => {
    // HKDF as in RFC 5869, for the bytes that are stored below.
    const prk = createHmac("sha256", Buffer.alloc(32, 1)).update(Buffer.alloc(32, 2)).digest();
    const info = Buffer.from('["file",1,"a"]');
    const okm = createHmac("sha256", prk).update(info).update(Buffer.of(1)).digest();
    const stored = await buffer(sealFile(Buffer.alloc(32, 2), "a", given(), Buffer.alloc(32, 1)));
    const { createDecipheriv } = await import("node:crypto");
    const nonce = Buffer.from("000000000000000000000001", "hex");
    const decipher = createDecipheriv("aes-256-gcm", okm, nonce);
    decipher.setAuthTag(stored.subarray(-16));
    const plain = Buffer.concat([decipher.update(stored.subarray(36, -16)), decipher.final()]);
    expect(plain).toHaveLength(4096);
    expect(plain[0]).toBe(0x80);
  });
});

it("still opens the stored file of version 1", () => {
  const file = `${import.meta.dirname}/stored-files/file-v1.json`;
  const sample = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  const stored = Buffer.from(String(sample.stored), "base64");
  const opened = open(stored, sample.id, Buffer.from(String(sample.key), "base64"));
  expect(opened).toHaveLength(Number(sample.bytes));
  expect(createHash("sha256").update(opened).digest("hex")).toBe(sample.sha256);
  expect(String(opened.subarray(0, 23))).toBe("A file that was stored.");
});
