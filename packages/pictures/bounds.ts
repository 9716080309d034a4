/** What one picture may cost. */

export const MOST_PIXELS = 50_000_000;
/** Longest side of a preview, in pixels. */
export const PREVIEW_SIDE = 480;
/** The same of a published picture: `COPY_SIDE` of contracts, which its process cannot read. */
export const PUBLISHED_SIDE = 2000;
/** Milliseconds until a picture's process is killed. */
export const TIME_LIMIT_MS = 15_000;
/** Bytes of memory of a picture's process until it is killed, on Linux. */
export const MEMORY_LIMIT = 768 * 1024 * 1024;
/** Most bytes that a process may answer: picture and preview. */
export const ANSWER_LIMIT = 64 * 1024 * 1024;
