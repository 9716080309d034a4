import { DomainError } from "#contracts/domain-error.ts";
import {
  ADMIN_TEMPLATES,
  SHIPPED,
  type TemplateItem,
  TemplateReadParams,
  type TemplateRecord,
  TemplateRecordReply,
  TemplatesReply,
  TemplateVersionParams,
  TemplateVersionReply,
} from "#contracts/http/admin-templates.ts";
import { type TemplateKind, templateKind } from "#contracts/mail/template-kinds.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { shippedTemplates } from "#mail-templates/shipped/shipped-templates.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import {
  type KindTemplates,
  type PresentTemplate,
  TemplateHistory,
} from "../history/other-histories.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";

export function templateRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db } = side;
  const history = new TemplateHistory(side);
  const read = reads(["admin"], "templates");
  app.get(
    ADMIN_TEMPLATES,
    read({
      summary: "All email templates, with how often they were used",
      reply: TemplatesReply,
    }),
    async ({ log }) => {
      const [all, uses] = await Promise.all([history.all(log), readUses(db)]);
      const items = [...all].flatMap(([kind, { isShippedActive, templates }]) => [
        shippedOf(kind, isShippedActive),
        ...templates.map(itemOf),
      ]);
      return succeed(
        items.map((item): TemplateItem => {
          const used = uses.get(`${item.kind}/${item.id}`);
          return {
            ...item,
            usage: used?.uses ?? 0,
            ...omitUndefined({ last_used: used?.last.toISOString() }),
          };
        }),
      );
    },
  );

  app.get(
    `${ADMIN_TEMPLATES}/:kind/:id`,
    read({
      summary: "An email template with its history",
      params: TemplateReadParams,
      reply: TemplateRecordReply,
    }),
    async ({ params: { kind, id }, log }) => {
      const found = await history.of(kind, log);
      return succeed(recordOf(kind, id, found));
    },
  );

  app.get(
    `${ADMIN_TEMPLATES}/:kind/:id/versions/:revision`,
    read({
      summary: "A template at a revision",
      params: TemplateVersionParams,
      reply: TemplateVersionReply,
    }),
    async ({ params: { kind, id, revision } }) =>
      succeed(await history.version(kind, id, revision)),
  );
}

/** @throws {DomainError} `not_found` */
function recordOf(
  kind: TemplateKind,
  id: string,
  { isShippedActive, templates }: KindTemplates,
): TemplateRecord {
  if (id === SHIPPED) {
    const { body } = shippedTemplates[kind];
    return { ...shippedOf(kind, isShippedActive), body, history: [] };
  }
  const found = templates.find((template) => template.id === id);
  if (!found) throw new DomainError("not_found", "Template not found");
  return { ...itemOf(found), body: found.text.body, history: [...found.history] };
}

function shippedOf(kind: TemplateKind, isActive: boolean) {
  return {
    kind,
    id: SHIPPED,
    type: templateKind(kind).type,
    name: "Default template",
    subject: shippedTemplates[kind].subject,
    status: isActive ? "active" : "inactive",
    revision: -1,
  } as const;
}

function itemOf({ kind, id, status, revision, text, changed }: PresentTemplate) {
  const { type } = templateKind(kind);
  const { name, subject } = text;
  const last = omitUndefined({ last_modified: changed.at || undefined, author: changed.by });
  return { kind, id, type, name, subject, status, revision, ...last };
}

interface TemplateUse {
  readonly uses: number;
  readonly last: Date;
}

/** Uses by `kind/template`, where the template is an ID or `shipped`. */
async function readUses(db: ReadModelDatabase): Promise<ReadonlyMap<string, TemplateUse>> {
  const rows = await db
    .selectFrom("outbox.template_use")
    .select(["kind", "template", "uses", "last_used_at"])
    .execute();
  return new Map(
    rows.map(({ kind, template, uses, last_used_at: last }) => [
      `${kind}/${template}`,
      { uses, last },
    ]),
  );
}
