/** Within this many bytes of its end a PDF has its end mark (ISO 32000-1, annex H.3.18). */
const TAIL_BYTES = 1024;

/** End of central directory record of a ZIP archive (APPNOTE 4.3.16). */
const ZIP_END = Buffer.from("PK\u0005\u0006", "latin1");
const ZIP_END_BYTES = 22;
const ZIP_COMMENT_BYTES = 65_535;

/** A PDF is kept as it is. This finds what is none, or something else besides. */
export function pdfProblem(bytes: Buffer): "damaged" | "suspicious" | undefined {
  if (!/^%PDF-[12]\.\d[\s%]/.test(bytes.toString("latin1", 0, 10))) return "damaged";
  const tail = bytes.toString("latin1", Math.max(bytes.length - TAIL_BYTES, 0));
  const end = tail.lastIndexOf("%%EOF");
  if (end < 0 || !tail.includes("startxref")) return "damaged";
  // Whatever follows would be for another program.
  if (/[^\s\0]/.test(tail.slice(end + "%%EOF".length))) return "suspicious";
  return isArchive(bytes) ? "suspicious" : undefined;
}

/** Programs find a ZIP archive by its end, so it may begin with anything. */
function isArchive(bytes: Buffer): boolean {
  const first = Math.max(bytes.length - ZIP_END_BYTES - ZIP_COMMENT_BYTES, 0);
  let place = bytes.indexOf(ZIP_END, first);
  for (; place >= 0; place = bytes.indexOf(ZIP_END, place + 1)) {
    if (place + ZIP_END_BYTES > bytes.length) return false;
    const comment = bytes.readUInt16LE(place + ZIP_END_BYTES - 2);
    if (place + ZIP_END_BYTES + comment <= bytes.length) return true;
  }
  return false;
}
