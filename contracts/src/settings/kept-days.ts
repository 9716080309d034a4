import { RETENTION_DAYS } from "../retention.ts";
import type { SettingValues } from "./catalogue.ts";

/** Days by what is kept. */
export type KeptDays = Readonly<Record<keyof typeof RETENTION_DAYS, number>>;

/** How long things are kept under these settings. */
export function keptDays(settings: SettingValues): KeptDays {
  return {
    ...RETENTION_DAYS,
    unconfirmed_account: settings.keepUnconfirmedAccounts,
    unconfirmed_report: settings.keepUnconfirmedReports,
    rejected_report: settings.keepRejectedReports,
    inquiry: settings.keepInquiries,
    security_event: settings.keepSecurityEvents,
  };
}
