/**
 * Decodes one picture and re-encodes it without metadata. Runs as a separate process, started by `decode.ts` with
 * an empty environment and Node's permission model, so that it can read only its own program. Reads the picture
 * from standard input; its type and purpose are the arguments. Writes one line of JSON (`Answer`), then the bytes
 * of the picture and of its preview.
 */
import { buffer } from "node:stream/consumers";
import sharp, { type Sharp } from "sharp";
import { MAX_PIXELS, PREVIEW_SIDE, PUBLISHED_SIDE, TIME_LIMIT_MS } from "./bounds.ts";

/** The first line of the output. */
export type Answer =
  | {
      readonly width: number;
      readonly height: number;
      /** Sizes in bytes; only kept pictures have a preview. */
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

/** `keep`: the same type. `publish`: WebP, without transparency, no larger than needed. */
export type Purpose = "keep" | "publish";

const type = process.argv[2] as PictureType;
const purpose = process.argv[3] as Purpose;

// Allow only this type's decoder; libvips has many others.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: [`VipsForeignLoad${loaders[type]}Buffer`] });
sharp.concurrency(1);
sharp.cache(false);

const seconds = Math.ceil(TIME_LIMIT_MS / 1000);

async function decode(bytes: Buffer): Promise<{ answer: Answer; parts: Buffer[] }> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (width * height > MAX_PIXELS) return { answer: { refused: "too_large_picture" }, parts: [] };
  const options = { limitInputPixels: MAX_PIXELS, failOn: "error", sequentialRead: true } as const;
  // Rotate upright first: the orientation is metadata and gets dropped.
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

// Exit if the parent is gone.
process.stdout.on("error", () => process.exit(1));
setTimeout(() => process.exit(1), 2 * TIME_LIMIT_MS).unref();

const { answer, parts } = await decode(await buffer(process.stdin)).catch(() => ({
  answer: { refused: "damaged" } as const,
  parts: [],
}));
process.stdout.write(`${JSON.stringify(answer)}\n`);
for (const part of parts) process.stdout.write(part);
