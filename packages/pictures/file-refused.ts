const SENTENCES = {
  empty: "This file is empty. Choose another one.",
  unknown_type: "This file type isn't supported. Use PDF, PNG, JPEG or WebP.",
  no_picture: "Only a picture can be published: PNG, JPEG or WebP.",
  heic: "HEIC pictures aren't supported. Save the picture as JPEG and choose it again.",
  svg: "SVG drawings aren't supported. Save the drawing as PNG or PDF and choose it again.",
  damaged: "This file is damaged or incomplete. Open it, save it again and choose it again.",
  too_large_picture:
    "This picture has more than 50 megapixels. Make it smaller and choose it again.",
  animated:
    "Animated pictures aren't supported. Save the frames as separate pictures and choose those.",
  suspicious:
    "This PDF contains a second file of another type. Print it to a new PDF and choose that one.",
} as const;

export type FileRefusal = keyof typeof SENTENCES;

/** A file can't be accepted. The message tells the user why, and what to do. */
export class FileRefused extends Error {
  override readonly name = "FileRefused";
  readonly code: FileRefusal;
  constructor(code: FileRefusal) {
    super(SENTENCES[code]);
    this.code = code;
  }
}
