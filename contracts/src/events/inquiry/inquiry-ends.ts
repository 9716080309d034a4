import type { RegistryEvent } from "../index.ts";

/** Events with which an inquiry or a notice is erased. */
export const INQUIRY_ENDS: readonly RegistryEvent["type"][] = ["InquiryErased", "NoticeErased"];

/** Id of the inquiry or notice that the stream is about; undefined for any other stream. */
export function inquiryOf(stream: string): string | undefined {
  return /^(?:inquiry|notice)-(.+)$/.exec(stream)?.[1];
}
