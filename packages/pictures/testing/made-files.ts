import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** Marks metadata, and must not appear in what is kept. */
export const CANARY = "canary-in-metadata";

/** Creates a striped picture of 30 by 20 pixels, with the place it was taken in its metadata. */
export function photo(type: "png" | "jpeg" | "webp", orientation = 1): Promise<Buffer> {
  const stripes = Buffer.alloc(30 * 20 * 3, 0).fill(255, 0, 30 * 10 * 3);
  return sharp(stripes, { raw: { width: 30, height: 20, channels: 3 } })
    .withMetadata({ orientation })
    .withExifMerge({
      IFD0: { Copyright: CANARY, Artist: CANARY },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 3230/100" },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><!--${CANARY}--></x:xmpmeta>`)
    [type]()
    .toBuffer();
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** Creates a PNG with one bit per pixel: few bytes, however large it is. */
export function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const row = Math.ceil(width / 8) + 1;
  const pixels = deflateSync(Buffer.alloc(row * Math.min(height, 2000)), { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Marks a PNG as the first frame of an animation. */
export function animatedPng(png: Buffer): Buffer {
  const afterHeader = SIGNATURE.length + 25;
  const control = chunk("acTL", Buffer.from("0000000200000000", "hex"));
  return Buffer.concat([png.subarray(0, afterHeader), control, png.subarray(afterHeader)]);
}

export async function animatedWebp(): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer();
  const frames = [await frame("red"), await frame("blue")];
  return sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer();
}

/** The smallest PDF that has everything the check looks for. */
export function pdf(comment = ""): Buffer {
  return Buffer.from(
    `%PDF-1.7\n%\u00e2\u00e3\n${comment}1 0 obj<</Type/Catalog>>endobj\nxref\n0 1\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n`,
    "latin1",
  );
}

/** An empty ZIP archive with this comment. */
export function zipEnd(comment = ""): Buffer {
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, Buffer.from(comment, "latin1")]);
}
