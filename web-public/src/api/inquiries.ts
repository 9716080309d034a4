import type { AnsweredInquiry } from "#contracts/http/inquiries.ts";
import { type InquiryKind, inquiryForms } from "#contracts/inquiry/inquiry-forms.ts";
import { type ApiClient, ApiError, type CommandReply } from "./client.ts";

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

/** POST /api/inquiry-answer: an answer by staff, by its link. It changes nothing. */
export async function getInquiryAnswer(
  api: ApiClient,
  token: string,
  signal?: AbortSignal,
): Promise<AnsweredInquiry> {
  const { data } = await api.post<AnsweredInquiry>("/api/inquiry-answer", {
    body: { token },
    signal,
  });
  if (!data) throw new ApiError(0, { code: "garbled" });
  return data;
}

/** POST /api/inquiry-answer/reply */
export function replyToInquiry(
  api: ApiClient,
  body: { readonly token: string; readonly reply: string },
  idempotencyKey: string,
): Promise<CommandReply<unknown>> {
  return api.post("/api/inquiry-answer/reply", { body, idempotencyKey });
}
