import type { Notifications } from "../events/user/account-state.ts";

/** The mails that an account can switch on and off, in the order of the settings. */
export const NOTIFICATION_WORDS = {
  decisions: {
    label: "Decisions on my reports",
    help: "A mail when one of your reports is approved, turned down or put under review.",
  },
  same_person: {
    label: "Further reports on people I reported",
    help: "A mail when somebody else's report is published on a person that a published report of yours is about.",
  },
  weekly_summary: {
    label: "Weekly summary",
    help: "A mail on Mondays: how often your reports were read, what was decided, and further reports on the same people. None after a week without news.",
  },
} as const satisfies Partial<
  Record<keyof Notifications, { readonly label: string; readonly help: string }>
>;
export type NotificationName = keyof typeof NOTIFICATION_WORDS;
