import {
  TEMPLATE_COMMANDS,
  type TemplateRecord,
  type TemplateText,
  type TemplateVersion,
} from "#contracts/http/admin-templates.ts";
import {
  TEMPLATE_BOUNDS,
  TEMPLATE_TYPES,
  type TemplateKind,
  templateKind,
} from "#contracts/mail/template-kinds.ts";
import type { EmailRow } from "../data/email-rows.ts";
import type { FormField } from "../shared/fields.tsx";
import type { CommandSet } from "../shared/versions/use-commands.ts";
import type { Action, Editing } from "../shared/versions/VersionedEditor.tsx";

const TEMPLATE_SET: CommandSet = {
  rows: TEMPLATE_COMMANDS,
  changedCode: "template_changed",
  resource: "templates",
};

/** Returns the name of an email, with its area. */
export function kindText(kind: TemplateKind): string {
  const { title, type } = templateKind(kind);
  return `${title} (${TEMPLATE_TYPES[type]})`;
}

const HAPPENED: Readonly<Record<string, string>> = {
  TemplateCreated: "created this template",
  TemplateEdited: "saved changes",
  TemplateActivated: "activated it",
  TemplateDeactivated: "deactivated it",
  TemplateTested: "sent themselves a test email",
};

function sentenceOf({ actor, type, restored }: TemplateVersion): string {
  const what = restored === undefined ? HAPPENED[type] : `restored revision ${restored}`;
  return `${actor ?? "Someone"} ${what ?? type}`;
}

/** The active template can't be deleted. */
function actionsOf({ name, kind, status }: TemplateRecord): readonly Action[] {
  const emails = `“${templateKind(kind).title}” emails`;
  const test: Action = { name: "test", label: "Send test email" };
  if (status === "active")
    return [
      test,
      {
        name: "deactivate",
        label: "Deactivate",
        question: {
          title: `Deactivate “${name}”?`,
          consequence: `The next ${emails} use the default template again. This one stays here. We'll email all admins about the change.`,
          confirm: "Deactivate",
        },
      },
    ];
  return [
    test,
    {
      name: "activate",
      label: "Activate",
      isPrimary: true,
      question: {
        title: `Activate “${name}”?`,
        consequence: `The next ${emails} use this template. We'll email all admins about the change.`,
        confirm: "Activate",
      },
    },
    {
      name: "delete",
      label: "Delete",
      question: {
        title: `Delete “${name}” permanently?`,
        consequence:
          "The template and its versions can't be restored. Emails don't change, because it isn't active.",
        confirm: "Delete",
      },
    },
  ];
}

function statusOf({ status }: TemplateRecord, isDirty: boolean): string {
  const isActive = status === "active";
  if (!isDirty) return isActive ? "In use: emails are sent as shown" : "Saved, not in use";
  return isActive
    ? "Unsaved changes. This template is in use: saving changes the next emails, and we'll email all admins."
    : "Unsaved changes";
}

/** The field for a template's name. */
export const NAME: FormField<"name"> = {
  source: "name",
  label: "Name",
  max: TEMPLATE_BOUNDS.name,
  help: "Only admins see it.",
  needs: "Enter a name",
};

/** Configuration of the editor for templates. */
export const templateEditing: Editing<TemplateRecord, TemplateText, TemplateText, TemplateVersion> =
  {
    commands: TEMPLATE_SET,
    textOf: (record) => record,
    valuesOf: ({ name, subject, body }) => ({ name, subject, body }),
    bodyOf: ({ name, subject, body }) => ({ name: name.trim(), subject: subject.trim(), body }),
    fieldsOf: () => [
      NAME,
      {
        source: "subject",
        label: "Subject",
        max: TEMPLATE_BOUNDS.subject,
        needs: "Enter a subject",
      },
      {
        source: "body",
        label: "Body (Markdown)",
        max: TEMPLATE_BOUNDS.body,
        isLong: "markdown",
        needs: "Enter the text of the email",
      },
    ],
    titleOf: ({ name }) => name,
    sentenceOf,
    harmless: "TemplateTested",
    statusOf,
    actionsOf,
    present: "current version",
    part: "Content",
    save: "Save",
  };

/** Labels for emails by the template they use. */
export const EMAIL_STATUSES: Readonly<Record<EmailRow["status"], string>> = {
  custom: "Customized",
  drafts: "Default, with drafts",
  default: "Default",
};
