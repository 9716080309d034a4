import { type Static, Type } from "typebox";
import {
  TEMPLATE_BOUNDS,
  TEMPLATE_STATUSES,
  TEMPLATE_TYPES,
  templateKinds,
} from "../mail/template-kinds.ts";
import { codes, ONE_LINE, strict } from "../report/fields.ts";
import type { CommandRow } from "./command-row.ts";
import { reply } from "./envelope.ts";

/** Email templates, for admins. Commands are below this path. */
export const ADMIN_TEMPLATES = "/prod/api/admin/templates";

/** ID of a kind's default template, which ships with the software. */
export const SHIPPED = "shipped";

const opt = Type.Optional;
const Kind = codes(templateKinds);
const Uuid = Type.String({ format: "uuid" });
/** Revision of the template that the client last saw. */
const Revision = Type.Integer({ minimum: 0, maximum: 2 ** 31 });
const seen = { revision: Revision };

const name = Type.String({ minLength: 1, maxLength: TEMPLATE_BOUNDS.name, pattern: ONE_LINE });
const source = {
  subject: Type.String({ minLength: 1, maxLength: TEMPLATE_BOUNDS.subject, pattern: ONE_LINE }),
  body: Type.String({ minLength: 1, maxLength: TEMPLATE_BOUNDS.body }),
};

export const TemplateKindParams = strict({ kind: Kind });
export const TemplateParams = strict({ kind: Kind, id: Uuid });

/** All template commands. Each requires a recent password entry. */
export const TEMPLATE_COMMANDS = {
  create: {
    type: "CreateTemplate",
    title: "Create an email template",
    method: "POST",
    path: "/:kind",
    /** `from`: the template to copy; the default if absent. */
    body: strict({ name, from: opt(Uuid) }),
    summary: "Add a draft template of a kind of email, copied from the default or another template",
    done: "Template added",
  },
  edit: {
    type: "EditTemplate",
    title: "Edit an email template",
    method: "PUT",
    path: "/:kind/:id",
    body: strict({ ...seen, name, ...source }),
    summary: "Save a template; if it is active, it applies immediately and all admins are emailed",
    done: "Template saved",
  },
  restore: {
    type: "RestoreTemplate",
    title: "Restore a version of an email template",
    method: "POST",
    path: "/:kind/:id/restore",
    body: strict({ ...seen, version: Revision }),
    summary: "Restore an earlier version of a template",
    done: "Version restored",
  },
  activate: {
    type: "ActivateTemplate",
    title: "Activate an email template",
    method: "POST",
    path: "/:kind/:id/activate",
    body: strict(seen),
    summary: "Activate this template in place of the active one",
    done: "Template activated. All admins will be emailed.",
  },
  deactivate: {
    type: "DeactivateTemplate",
    title: "Deactivate an email template",
    method: "POST",
    path: "/:kind/:id/deactivate",
    body: strict(seen),
    summary: "Use the default template again",
    done: "Template deactivated. All admins will be emailed.",
  },
  test: {
    type: "TestTemplate",
    title: "Send a test email",
    method: "POST",
    path: "/:kind/:id/test",
    body: strict(seen),
    summary: "Email yourself the saved template with sample data",
    done: "Test email sent to you",
  },
  delete: {
    type: "DeleteTemplate",
    title: "Delete an email template",
    method: "DELETE",
    path: "/:kind/:id",
    body: strict(seen),
    summary: "Delete a template that is not active",
    done: "Template deleted",
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

type Rows = typeof TEMPLATE_COMMANDS;
export type TemplateCommandName = keyof Rows;
export type TemplateBody<N extends TemplateCommandName> = Static<Rows[N]["body"]>;

const Status = codes(TEMPLATE_STATUSES);

/** A template after a command. */
export const TemplateCommandReply = reply(
  strict({
    kind: Kind,
    id: Uuid,
    status: Type.Union([Status, Type.Literal("deleted")]),
    revision: Type.Integer(),
  }),
);

/** POST /prod/api/admin/templates/{kind}/preview: renders sample data. Nothing is stored. */
export const PreviewTemplate = strict(source);
export const TemplatePreview = strict({
  subject: Type.String(),
  text: Type.String(),
  /** A complete document, as emailed. */
  html: Type.String(),
});
export type TemplatePreview = Static<typeof TemplatePreview>;
export const TemplatePreviewReply = reply(TemplatePreview);

const item = {
  kind: Kind,
  /** A UUID, or `shipped`. */
  id: Type.String(),
  type: codes(TEMPLATE_TYPES),
  name: Type.String(),
  subject: Type.String(),
  status: Status,
  revision: Type.Integer(),
  /** Absent for the default template. */
  last_modified: opt(Type.String()),
  /** Absent if the name is unknown. */
  author: opt(Type.String()),
};

/** A row of the console's list. `revision` is -1 for the default template. */
export const TemplateItem = strict({
  ...item,
  /** Number of emails sent with it. */
  usage: Type.Integer(),
  last_used: opt(Type.String()),
});
export type TemplateItem = Static<typeof TemplateItem>;
/** GET /prod/api/admin/templates: all of them by kind, the default first. */
export const TemplatesReply = reply(Type.Array(TemplateItem));

/** One event of a template's history. */
export const TemplateVersion = strict({
  revision: Type.Integer(),
  /** Type of the event. */
  type: Type.String(),
  at: Type.String(),
  actor: opt(Type.String()),
  /** Revision that was restored. */
  restored: opt(Type.Integer()),
  /** Whether this version can be shown and restored. */
  has_text: Type.Boolean(),
});
export type TemplateVersion = Static<typeof TemplateVersion>;

export const TemplateText = strict({ name: Type.String(), ...source });
export type TemplateText = Static<typeof TemplateText>;

/** GET /prod/api/admin/templates/{kind}/{id}: with its history, oldest first; the default template has none. */
export const TemplateRecord = strict({
  ...item,
  body: Type.String(),
  history: Type.Array(TemplateVersion),
});
export type TemplateRecord = Static<typeof TemplateRecord>;
export const TemplateRecordReply = reply(TemplateRecord);
export const TemplateReadParams = strict({
  kind: Kind,
  id: Type.Union([Type.Literal(SHIPPED), Uuid]),
});

/** GET /prod/api/admin/templates/{kind}/{id}/versions/{revision} */
export const TemplateVersionParams = strict({ kind: Kind, id: Uuid, revision: Revision });
export const TemplateVersionReply = reply(TemplateText);
