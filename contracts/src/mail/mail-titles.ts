import type { MailKind } from "./mail-kinds.ts";
import { isTemplateKind, type TemplateKind, templateKind } from "./template-kinds.ts";

const fixedTitles: Readonly<Record<Exclude<MailKind, TemplateKind>, string>> = {
  resolution_for_inbox: "To the inbox: RESOLVED banner requested",
  inquiry_for_inbox: "To the inbox: inquiry received",
  notice_for_inbox: "To the inbox: notice received",
  template_changed: "To admins: template changed",
  template_test: "Test of a template",
  settings_changed: "To admins: settings changed",
  deletion_waits: "To admins: deletion awaiting approval",
  contacts_found: "To admins: many contacts found by searches",
};

/** Returns the console's title for a kind of email. A kind from an earlier version gets its code as a title. */
export function mailTitle(kind: string): string {
  if (isTemplateKind(kind)) return templateKind(kind).title;
  const titles: Readonly<Record<string, string>> = fixedTitles;
  if (Object.hasOwn(titles, kind)) return titles[kind] ?? kind;
  const words = kind.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
