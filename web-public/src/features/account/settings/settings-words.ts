import { ApiError } from "../../../api/client.ts";

/** The server's sentence for a refusal, else what the page says of itself. Other errors go on. */
export function sentenceOf(error: unknown, otherwise: string): string {
  if (!(error instanceof ApiError)) throw error;
  return error.explanation ?? otherwise;
}
