/** What a link in an email turns off: emails about one report to its address, or one setting of an account. */
export const UNSUBSCRIBE_SCOPES = {
  report: "emails about decisions on this report",
  decisions: "emails about decisions on your reports",
  same_person: "emails about new reports on people you reported",
  weekly_summary: "weekly summaries",
} as const;
export type UnsubscribeScope = keyof typeof UNSUBSCRIBE_SCOPES;
