import type { RegistryEvent } from "../index.ts";

/** The event with which a text is removed for good. */
export const CONTENT_END = "ContentDeleted" satisfies RegistryEvent["type"];

/** Id of the text that the stream is about; undefined for any other stream. */
export function contentOf(stream: string): string | undefined {
  return /^content-(.+)$/.exec(stream)?.[1];
}
