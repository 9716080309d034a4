import { SHIPPED, type TemplateItem } from "#contracts/http/admin-templates.ts";
import { TEMPLATE_KINDS, type TemplateKind, templateKind } from "#contracts/mail/template-kinds.ts";

/** A kind of email, with its active template. */
export interface EmailRow {
  readonly kind: TemplateKind;
  readonly id: string;
  readonly type: TemplateItem["type"];
  readonly title: string;
  readonly subject: string;
  readonly status: "custom" | "drafts" | "default";
  readonly last_modified: string | undefined;
  /** Emails sent with any template of this kind. */
  readonly usage: number;
  readonly active: TemplateItem;
  /** Text that the search matches. */
  readonly told: string;
}

/** Returns one row per kind, in the order of the contract. */
export function emailRows(items: readonly TemplateItem[]): readonly EmailRow[] {
  return TEMPLATE_KINDS.flatMap((kind) => {
    const all = items.filter((item) => item.kind === kind);
    const active = all.find(({ status }) => status === "active");
    if (!active) return [];
    const { id, type, subject, last_modified } = active;
    const { title } = templateKind(kind);
    return {
      kind,
      id,
      type,
      title,
      subject,
      status: id !== SHIPPED ? "custom" : all.length > 1 ? "drafts" : "default",
      last_modified,
      usage: all.reduce((sum, item) => sum + item.usage, 0),
      active,
      told: [
        title,
        ...all.flatMap(({ id, name, subject }) => (id === SHIPPED ? [subject] : [name, subject])),
      ].join("\n"),
    };
  });
}
