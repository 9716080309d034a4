import { ApiError } from "../../../api/client.ts";

/** The server's sentence for a refusal, else what the page says of itself. Other errors go on. */
export function sentenceOf(error: unknown, otherwise: string): string {
  if (!(error instanceof ApiError)) throw error;
  return error.explanation ?? otherwise;
}

/** "2 May 2026, 14:05 UTC", in the reader's own time zone unless another is given. */
export function formatMoment(value: string, timeZone?: string): string {
  const time = Date.parse(value);
  if (Number.isNaN(time)) return "Not known";
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  })
    .format(time)
    .replace(" at ", ", ");
}
