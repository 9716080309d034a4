const SENTENCES = {
  empty: "This file is empty.",
  unknown_type: "This file is none of the types that can be kept: PDF, PNG, JPEG or WebP.",
  no_picture: "Only a picture can be published: PNG, JPEG or WebP.",
  heic: "HEIC pictures cannot be read here. Save the picture as JPEG and choose it again.",
  svg: "SVG drawings cannot be kept. Save it as PNG or PDF and choose it again.",
  damaged: "This file is damaged or not complete. Open it, save it again and choose it again.",
  too_large_picture:
    "This picture has more than 50 megapixels. Make it smaller and choose it again.",
  animated: "This picture is animated. Save what it shows as single pictures and choose those.",
  suspicious:
    "This PDF holds a second file of another type. Print it to a new PDF and choose that.",
} as const;

export type FileRefusal = keyof typeof SENTENCES;

/** A file cannot be kept. The message tells people why, and what they can do. */
export class FileRefused extends Error {
  override readonly name = "FileRefused";
  readonly code: FileRefusal;
  constructor(code: FileRefusal) {
    super(SENTENCES[code]);
    this.code = code;
  }
}
