import { DomainError } from "#contracts/domain-error.ts";
import type { TemplateEvent } from "#contracts/events/index.ts";
import type { KindState, TemplateState, TemplateText } from "#contracts/events/template.ts";
import { MAX_NOTIFIED_ADMINS } from "#contracts/events/user/user-events.ts";
import { MAX_TEMPLATES } from "#contracts/mail/template-kinds.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";

/** Every command but the first names the template, and the revision that its sender has seen. */
interface Seen {
  readonly id: string;
  readonly revision: number;
}

/** Commands for the templates of one kind of email. */
export type TemplateCommand =
  | {
      readonly type: "CreateTemplate";
      readonly id: string;
      readonly name: string;
      /** The template to copy; absent for the shipped one. */
      readonly from?: string | undefined;
    }
  | ({ readonly type: "EditTemplate"; readonly text: TemplateText } & Seen)
  | ({ readonly type: "RestoreTemplate"; readonly version: number } & Seen)
  | ({ readonly type: "ActivateTemplate" | "DeactivateTemplate" | "DeleteTemplate" } & Seen)
  | ({ readonly type: "TestTemplate"; readonly to: string } & Seen);

/** A command with what its decider needs besides the state. */
export type PreparedTemplateCommand = TemplateCommand & {
  /** The shipped template of this kind. */
  readonly shipped: Omit<TemplateText, "name">;
  /** The version to restore; absent if the template has no such version. */
  readonly former?: TemplateText | undefined;
  /** Account IDs of the active admins. */
  readonly admins: readonly string[];
};

type CreateTemplate = Extract<PreparedTemplateCommand, { type: "CreateTemplate" }>;

/** Decides commands about the templates of one kind of email. Their text has been checked before. */
export function decideTemplates(
  state: KindState | undefined,
  command: PreparedTemplateCommand,
): TemplateEvent[] {
  if (command.type === "CreateTemplate") return create(state, command);
  const { id: template_id, text } = existing(state, command.id, command.revision);
  const isActive = state?.active === template_id;
  // The change affects the emails that are sent.
  const told = isActive ? tellAll(command.admins) : {};
  switch (command.type) {
    case "EditTemplate":
      if (isSame(command.text, text)) return [];
      return [{ type: "TemplateEdited", data: { template_id, ...told, template: command.text } }];
    case "RestoreTemplate": {
      const { former: template, version: revision } = command;
      if (!template) throw new DomainError("not_found", `This template has no version ${revision}`);
      if (isSame(template, text)) return [];
      return [{ type: "TemplateRestored", data: { template_id, revision, ...told, template } }];
    }
    case "ActivateTemplate":
      if (isActive) return [];
      return [{ type: "TemplateActivated", data: { template_id, ...tellAll(command.admins) } }];
    case "DeactivateTemplate":
      if (!isActive) return [];
      return [{ type: "TemplateDeactivated", data: { template_id, ...told } }];
    case "TestTemplate":
      return [{ type: "TemplateTested", data: { template_id, to: command.to } }];
    case "DeleteTemplate":
      if (isActive)
        throw new DomainError(
          "template_active",
          "This template is active, so it can't be deleted. Deactivate it or activate another one first.",
        );
      return [{ type: "TemplateDeleted", data: { template_id } }];
  }
}

function create(
  state: KindState | undefined,
  { id: template_id, name, from, shipped }: CreateTemplate,
): TemplateEvent[] {
  const there = [...(state?.templates.values() ?? [])].filter(({ status }) => status !== "deleted");
  if (there.length >= MAX_TEMPLATES)
    throw new DomainError(
      "template_limit",
      `Each kind of email can have at most ${MAX_TEMPLATES} templates. Delete one first.`,
    );
  const words = from === undefined ? shipped : existing(state, from).text;
  const { subject, body } = words;
  const template = { name, subject, body };
  return [{ type: "TemplateCreated", data: { template_id, ...omitUndefined({ from }), template } }];
}

/** Returns the template if it exists and its sender has seen this revision. */
function existing(
  state: KindState | undefined,
  id: string,
  seen?: number,
): TemplateState & { readonly text: TemplateText } {
  const template = state?.templates.get(id);
  if (!template) throw new DomainError("not_found", "Template not found");
  const { status, revision, text } = template;
  if (status === "deleted" || !text)
    throw new DomainError("template_deleted", "This template was deleted");
  if (seen !== undefined && seen !== revision)
    throw new DomainError(
      "template_changed",
      "Someone else changed this template in the meantime. Nothing was overwritten.",
    );
  return { ...template, text };
}

function isSame(a: TemplateText, b: TemplateText): boolean {
  return a.name === b.name && a.subject === b.subject && a.body === b.body;
}

function tellAll(admins: readonly string[]) {
  return omitUndefined({
    told: admins.length > 0 ? admins.slice(0, MAX_NOTIFIED_ADMINS) : undefined,
  });
}
