/**
 * What a link in a mail switches off: mails about one report to the address that it has, or those of
 * one setting of an account. The words stand in mails and pages.
 */
export const UNSUBSCRIBE_SCOPES = {
  report: "emails about decisions on this report",
  decisions: "emails about decisions on your reports",
  same_person: "emails about new reports on people you reported",
  weekly_summary: "weekly summaries",
} as const;
export type UnsubscribeScope = keyof typeof UNSUBSCRIBE_SCOPES;
