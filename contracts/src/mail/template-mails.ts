import type { KindOfMail } from "./kind-of-mail.ts";

/** Mails about the templates of mails, to admins. No template changes their words. */
export const TEMPLATE_MAILS = {
  /** Admins hear of each change of what is mailed, so that none is made unseen. */
  template_changed: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    askedBy: {
      TemplateEdited: ({ told }) => told ?? [],
      TemplateRestored: ({ told }) => told ?? [],
      TemplateActivated: ({ told }) => told ?? [],
      TemplateDeactivated: ({ told }) => told ?? [],
    },
    page: "/admin/audit-logs",
  },
  /** A template on sample data, to the admin who asked for it. */
  template_test: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    askedBy: { TemplateTested: ({ to }) => [to] },
    page: "/admin/audit-logs",
  },
} satisfies Readonly<Record<string, KindOfMail>>;
