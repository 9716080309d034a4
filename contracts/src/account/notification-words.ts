import type { Notifications } from "../events/user/account-state.ts";

/** The mails that an account can switch on and off, in the order of the settings. */
export const NOTIFICATION_WORDS = {
  decisions: {
    label: "Decisions on my reports",
    help: "A mail when one of your reports is approved, turned down or put under review.",
  },
} as const satisfies Partial<
  Record<keyof Notifications, { readonly label: string; readonly help: string }>
>;
export type NotificationName = keyof typeof NOTIFICATION_WORDS;
