/**
 * Decodes one picture and encodes it again, without metadata. It runs as a process of its own, which
 * `decode.ts` starts: with an empty environment and Node's permission model, so it can read its own
 * program only. The picture comes on standard input, its type as the argument. The answer is a line
 * of JSON (`Answer`), then the bytes of the picture and of its preview.
 */
import { buffer } from "node:stream/consumers";
import sharp, { type Sharp } from "sharp";
import { MOST_PIXELS, PREVIEW_SIDE, TIME_LIMIT_MS } from "./bounds.ts";

/** The first line of the output. */
export type Answer =
  | {
      readonly width: number;
      readonly height: number;
      /** Bytes of each. */
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

const type = process.argv[2] as PictureType;

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
  const picture = encoders[type](sharp(bytes, options).autoOrient()).timeout({ seconds });
  const { data: content, info } = await picture.toBuffer({ resolveWithObject: true });
  const size = { width: PREVIEW_SIDE, height: PREVIEW_SIDE } as const;
  const preview = await sharp(content)
    .resize({ ...size, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 80 })
    .timeout({ seconds })
    .toBuffer();
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

// It ends when nobody waits for its answer any more.
process.stdout.on("error", () => process.exit(1));
setTimeout(() => process.exit(1), 2 * TIME_LIMIT_MS).unref();

const { answer, parts } = await decode(await buffer(process.stdin)).catch(() => ({
  answer: { refused: "damaged" } as const,
  parts: [],
}));
process.stdout.write(`${JSON.stringify(answer)}\n`);
for (const part of parts) process.stdout.write(part);
