import type { KindOfMail } from "./kind-of-mail.ts";

/** Mails about the registry's settings, to admins. No template changes their words. */
export const SETTINGS_MAILS = {
  /** Admins hear of each change of who gets in and what is kept, so that none is made unseen. */
  settings_changed: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    answersToOperator: true,
    askedBy: { SettingsChanged: ({ told }) => told ?? [] },
    page: "/admin/settings",
  },
} satisfies Readonly<Record<string, KindOfMail>>;
