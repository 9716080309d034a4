const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** Formats a size in bytes with powers of 1000, e.g. "12.4 MB". */
export function formatSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${UNITS[power]}`;
}
