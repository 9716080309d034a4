import { type InquiryKind, inquiryForms } from "#contracts/inquiry/inquiry-forms.ts";
import type { ApiClient, CommandReply } from "./client.ts";

/** A case that was opened: the number to quote, and when one hears from us. */
export interface OpenedCase {
  readonly number: string;
  readonly promise: string;
}

/** Sends a form for the registry's staff. */
export function sendInquiry(
  api: ApiClient,
  kind: InquiryKind,
  body: object,
  idempotencyKey: string,
): Promise<CommandReply<OpenedCase>> {
  const path = inquiryForms[kind].path.replace(/^\/prod/, "") as `/api/${string}`;
  return api.post(path, { body, idempotencyKey });
}
