import type { TemplateKind } from "#contracts/mail/template-kinds.ts";
import { accountStatusTemplates, accountTemplates, twoFactorTemplates } from "./account.ts";
import { inquiryTemplates } from "./inquiry.ts";
import { reportTemplates } from "./report.ts";
import type { ShippedTemplate } from "./shipped-template.ts";

/** The shipped text of every kind of email that admins can change. */
export const shippedTemplates: Readonly<Record<TemplateKind, ShippedTemplate>> = {
  ...reportTemplates,
  ...accountTemplates,
  ...twoFactorTemplates,
  ...accountStatusTemplates,
  ...inquiryTemplates,
};
