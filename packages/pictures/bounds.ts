/** Resource limits for one picture. */

export const MAX_PIXELS = 50_000_000;
/** Longest side of a preview, in pixels. */
export const PREVIEW_SIDE = 480;
/** Longest side of a published picture: `COPY_SIDE` of contracts, which the picture's process can't import. */
export const PUBLISHED_SIDE = 2000;
/** Milliseconds until the picture's process is killed. */
export const TIME_LIMIT_MS = 15_000;
/** Bytes of memory at which the picture's process is killed, on Linux. */
export const MEMORY_LIMIT = 768 * 1024 * 1024;
/** Maximum bytes of a process's output: picture and preview. */
export const ANSWER_LIMIT = 64 * 1024 * 1024;
