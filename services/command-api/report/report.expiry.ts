import type { EXPIRY_REASONS } from "#contracts/report/words.ts";
import { SHORTEST_DAYS } from "#contracts/retention.ts";
import type { KeptDays } from "#contracts/settings/catalogue.ts";
import type { StoredEvent } from "#event-store/port.ts";

/** `deleted`: the report was hidden, and the time to undo that has passed. */
export type ExpiryCause = keyof typeof EXPIRY_REASONS | "deleted";

/** Why a report expires, and when, in milliseconds since 1970. */
export interface Expiry {
  readonly cause: ExpiryCause;
  readonly atMs: number;
}

const DAY_MS = 24 * 3_600_000;
/** Retention setting for each cause. */
const RETENTION = {
  unconfirmed: "unconfirmed_report",
  rejected: "rejected_report",
} as const satisfies Record<keyof typeof EXPIRY_REASONS, keyof KeptDays>;
/** No report expires sooner than this, whatever the settings. */
export const SHORTEST_MS =
  Math.min(...Object.values(RETENTION).map((name) => SHORTEST_DAYS[name])) * DAY_MS;

/** Events that can start or change a report's retention period. */
export const RETENTION_EVENTS = [
  "ReportSubmitted",
  "ReportEdited",
  "ReporterAddressCorrected",
  "ReportVerificationWithdrawn",
  "ReportStatusSet",
  "ReportRejected",
  "ReportDeletionUndone",
] as const;

/**
 * When a report expires, derived from the unencrypted parts of its events. Undefined if it doesn't: samples,
 * reports that are approved, under review, or confirmed and undecided, and erased ones.
 * @param events the whole stream.
 * @param days current retention periods.
 */
export function expiryOf(
  events: readonly Pick<StoredEvent, "type" | "data" | "metadata">[],
  days: Pick<KeptDays, (typeof RETENTION)[keyof typeof RETENTION]>,
): Expiry | undefined {
  const isSample = events[0]?.metadata.origin === "sample";
  let status = "";
  let verified = false;
  let since = "";
  let eraseAt: string | undefined;
  const sinceBefore: string[] = [];
  for (const { type, data, metadata } of events) {
    sinceBefore.push(since);
    const { revision } = (data.undoes ?? {}) as { readonly revision?: number };
    /** An undone decision restores the start of the earlier period. */
    const begins = () => {
      since = (revision !== undefined && sinceBefore[revision]) || metadata.time;
    };
    switch (type) {
      case "ReportSubmitted":
        status = "pending";
        begins();
        break;
      case "ReportVerifiedByLink":
      case "ReportVerifiedByAccount":
      case "ReportVerifiedByHand":
        verified = true;
        break;
      case "ReportVerificationWithdrawn":
        verified = false;
        if (status === "pending") begins();
        break;
      case "ReportEdited":
      case "ReporterAddressCorrected": {
        const isNewAddress =
          type !== "ReportEdited" || (data.fields as string[]).includes("reporter_email");
        if (isNewAddress && status === "pending") begins();
        break;
      }
      case "ReportApproved":
        status = "approved";
        break;
      case "ReportRejected":
        status = "rejected";
        begins();
        break;
      case "ReportStatusSet":
        status = String(data.to);
        begins();
        break;
      case "ReportDeleted":
        eraseAt = String(data.erase_at);
        break;
      case "ReportDeletionUndone":
        eraseAt = undefined;
        break;
      case "ReportErased":
        return undefined;
    }
  }
  if (eraseAt !== undefined) return { cause: "deleted", atMs: Date.parse(eraseAt) };
  if (isSample) return undefined;
  const cause = causeOf(status, verified);
  return cause && { cause, atMs: Date.parse(since) + days[RETENTION[cause]] * DAY_MS };
}

function causeOf(status: string, verified: boolean): keyof typeof RETENTION | undefined {
  if (status === "rejected") return "rejected";
  return status === "pending" && !verified ? "unconfirmed" : undefined;
}
