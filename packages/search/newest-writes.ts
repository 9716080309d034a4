import type { SearchWrite } from "./port.ts";

/** Returns the newest write of each document, in the order in which documents first appear. */
export function newestOf(writes: readonly SearchWrite[]): SearchWrite[] {
  const newest = new Map<string, SearchWrite>();
  for (const write of writes) {
    const id = idOf(write);
    const other = newest.get(id);
    const isLater =
      !other ||
      write.position > other.position ||
      (write.position === other.position && !(other.op === "delete" && write.op === "upsert"));
    if (isLater) newest.set(id, write);
  }
  return [...newest.values()];
}

export function idOf(write: SearchWrite): string {
  return write.op === "upsert" ? write.document.id : write.id;
}
