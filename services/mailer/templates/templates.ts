import type { MailKind } from "#contracts/mail/mail-kinds.ts";
import { isTemplateKind, type TemplateKind } from "#contracts/mail/template-kinds.ts";
import type { MailText } from "#mail-templates/layout.ts";
import { shippedTemplates } from "#mail-templates/shipped/shipped-templates.ts";
import { renderFixed, renderWords } from "#mail-templates/words.ts";
import { settingsChangedMail } from "./changed-settings.ts";
import { templateChangedMail } from "./changed-template.ts";
import { contactsFoundMail } from "./contacts-found.ts";
import { deletionWaitsMail } from "./deletion-waits.ts";
import { inquiryForDeskMail, resolutionForDeskMail } from "./desk.ts";
import type { MailFacts } from "./mail-facts.ts";
import { valuesOf } from "./template-values.ts";

/** Mails whose words nobody changes. */
const fixedMails: Readonly<
  Record<Exclude<MailKind, TemplateKind>, (facts: MailFacts) => MailText>
> = {
  resolution_for_desk: resolutionForDeskMail,
  inquiry_for_desk: inquiryForDeskMail,
  notice_for_desk: inquiryForDeskMail,
  template_changed: templateChangedMail,
  template_test: templateChangedMail,
  settings_changed: settingsChangedMail,
  deletion_waits: deletionWaitsMail,
  contacts_found: contactsFoundMail,
};

/** The words of a mail as the software ships them. */
export function shippedMail(kind: MailKind, facts: MailFacts, siteUrl: string): MailText {
  if (!isTemplateKind(kind)) return fixedMails[kind](facts);
  const values = valuesOf(kind, facts, siteUrl);
  const { subject, ...rendered } = renderWords(shippedTemplates[kind], values);
  return { subject, rendered, ...fixedParts(kind, values, facts.url) };
}

/** What stands below the words of a template, whoever wrote it. */
export function fixedParts(kind: TemplateKind, values: ReturnType<typeof valuesOf>, url: string) {
  const { warning, action } = renderFixed(kind, values);
  return {
    paragraphs: warning ? [warning] : [],
    ...(action ? { action: { label: action, url } } : {}),
  };
}
