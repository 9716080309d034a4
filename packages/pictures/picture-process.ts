/**
 * Decodes one picture and encodes it again, without metadata. It runs as a process of its own, which
 * `decode.ts` starts: with an empty environment and Node's permission model, so it can read its own
 * program only. The picture comes on standard input, its type and what it is for as the arguments. The answer is a line
 * of JSON (`Answer`), then the bytes of the picture and of its preview.
 */
import { buffer } from "node:stream/consumers";
import sharp, { type Sharp } from "sharp";
import { MOST_PIXELS, PREVIEW_SIDE, PUBLISHED_SIDE, TIME_LIMIT_MS } from "./bounds.ts";

/** The first line of the output. */
export type Answer =
  | {
      readonly width: number;
      readonly height: number;
      /** Bytes of each. There is a preview of what is kept only. */
      readonly content: number;
      readonly preview: number;
    }
  | { readonly refused: "damaged" | "too_large_picture" };

const encoders = {
  png: (picture: Sharp) => picture.png(),
  jpeg: (picture: Sharp) => picture.jpeg({ quality: 85 }),
  webp: (picture: Sharp) => picture.webp({ quality: 85 }),
} as const;
const loaders = { png: "Png", jpeg: "Jpeg", webp: "Webp" } as const;
type PictureType = keyof typeof encoders;

/** `keep`: as it is, in its own type. `publish`: as WebP, without transparency, and not larger than needed. */
export type Purpose = "keep" | "publish";

const type = process.argv[2] as PictureType;
const purpose = process.argv[3] as Purpose;

// Only the decoder of this type is there; libvips has many others.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: [`VipsForeignLoad${loaders[type]}Buffer`] });
sharp.concurrency(1);
sharp.cache(false);

const seconds = Math.ceil(TIME_LIMIT_MS / 1000);

async function decode(bytes: Buffer): Promise<{ answer: Answer; parts: Buffer[] }> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (width * height > MOST_PIXELS) return { answer: { refused: "too_large_picture" }, parts: [] };
  const options = { limitInputPixels: MOST_PIXELS, failOn: "error", sequentialRead: true } as const;
  // Turned upright first: what says how it is turned is metadata.
  const upright = sharp(bytes, options).autoOrient();
  const encoded = purpose === "publish" ? encoders.webp(reduced(upright)) : encoders[type](upright);
  const picture = encoded.timeout({ seconds });
  const { data: content, info } = await picture.toBuffer({ resolveWithObject: true });
  const preview = purpose === "keep" ? await previewOf(content) : Buffer.alloc(0);
  return {
    answer: {
      width: info.width,
      height: info.height,
      content: content.length,
      preview: preview.length,
    },
    parts: [content, preview],
  };
}

function previewOf(content: Buffer): Promise<Buffer> {
  const size = { width: PREVIEW_SIDE, height: PREVIEW_SIDE } as const;
  return sharp(content)
    .resize({ ...size, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 80 })
    .timeout({ seconds })
    .toBuffer();
}

function reduced(picture: Sharp): Sharp {
  const size = { width: PUBLISHED_SIDE, height: PUBLISHED_SIDE } as const;
  return picture
    .flatten({ background: "#ffffff" })
    .resize({ ...size, fit: "inside", withoutEnlargement: true });
}

// It ends when no one waits for its answer anymore.
process.stdout.on("error", () => process.exit(1));
setTimeout(() => process.exit(1), 2 * TIME_LIMIT_MS).unref();

const { answer, parts } = await decode(await buffer(process.stdin)).catch(() => ({
  answer: { refused: "damaged" } as const,
  parts: [],
}));
process.stdout.write(`${JSON.stringify(answer)}\n`);
for (const part of parts) process.stdout.write(part);
