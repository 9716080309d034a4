/** What a file is, by its first bytes. Names and announced types of files are never looked at. */
export type FileKind = "png" | "jpeg" | "webp" | "pdf" | "heic" | "svg" | "unknown";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** Brands of ISO base media files (ISO/IEC 14496-12) that hold HEVC pictures, as phones take them. */
const HEIC = /^(heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/;

export function kindOf(bytes: Buffer): FileKind {
  const has = (mark: Buffer | string, place = 0) => {
    const wanted = typeof mark === "string" ? Buffer.from(mark, "latin1") : mark;
    return bytes.subarray(place, place + wanted.length).equals(wanted);
  };
  if (has(PNG)) return "png";
  if (has(JPEG)) return "jpeg";
  if (has("RIFF") && has("WEBP", 8)) return "webp";
  if (has("%PDF-")) return "pdf";
  if (has("ftyp", 4) && HEIC.test(bytes.toString("latin1", 8, 12))) return "heic";
  const start = bytes.toString("utf8", 0, 1000);
  return /^\uFEFF?\s*</.test(start) && /<svg[\s>]/i.test(start) ? "svg" : "unknown";
}

/** Whether a PNG or WebP says that it has several frames (PNG 3, 11.3.5; RFC 9649, 2.7.1.1). */
export function isAnimated(kind: FileKind, bytes: Buffer): boolean {
  if (kind === "webp")
    return bytes.subarray(12, 16).equals(Buffer.from("VP8X")) && ((bytes[20] ?? 0) & 2) !== 0;
  if (kind !== "png") return false;
  const pixels = bytes.indexOf("IDAT", 8, "latin1");
  const frames = bytes.indexOf("acTL", 8, "latin1");
  return frames >= 0 && (pixels < 0 || frames < pixels);
}
