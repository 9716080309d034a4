import type {
  TemplateItem,
  TemplateText,
  TemplateVersion,
} from "#contracts/http/admin-templates.ts";
import {
  TEMPLATE_BOUNDS,
  type TemplateKind,
  type TemplateStatus,
  templateKind,
} from "#contracts/mail/template-kinds.ts";
import type { Step } from "../shared/StepDialog.tsx";
import { tooLong } from "../shared/use-checked-form.ts";
import type { Happened } from "../shared/versions/VersionHistory.tsx";

/** What happened, as a sentence about whoever did it. */
export function historySentence({ actor, type, restored }: TemplateVersion): string {
  const who = actor ?? "Somebody";
  switch (type) {
    case "TemplateCreated":
      return `${who} began this template`;
    case "TemplateEdited":
      return `${who} saved it`;
    case "TemplateRestored":
      return `${who} restored revision ${restored ?? "unknown"}`;
    case "TemplateActivated":
      return `${who} activated it`;
    case "TemplateDeactivated":
      return `${who} deactivated it`;
    case "TemplateTested":
      return `${who} had a test mail sent to their own address`;
    default:
      return `${who}: ${type}`;
  }
}

/** What happened to a template, in the words of its history. */
export function happenedTo(history: readonly TemplateVersion[]): Happened[] {
  return history.map((event) => ({
    revision: event.revision,
    sentence: historySentence(event),
    at: event.at,
    hasText: event.has_text,
  }));
}

/** Who changed the template after the revision. A test mail changes nothing. */
export function changedSince(history: readonly TemplateVersion[], revision: number) {
  return history.filter((event) => event.revision > revision && event.type !== "TemplateTested");
}

/** A template as lines, so that two of them can be compared. */
export function templateLines({ name, subject, body }: TemplateText): string[] {
  return [`Name: ${name}`, `Subject: ${subject}`, "Body:", ...body.replace(/\n$/, "").split("\n")];
}

/** One sentence for each field that the server would refuse. */
export function templateProblems({
  name,
  subject,
  body,
}: TemplateText): Partial<Record<keyof TemplateText, string>> {
  const found = {
    name: name.trim() ? tooLong(name, TEMPLATE_BOUNDS.name) : "Please enter a name",
    subject: subject.trim() ? tooLong(subject, TEMPLATE_BOUNDS.subject) : "Please enter a subject",
    body: body.trim() ? tooLong(body, TEMPLATE_BOUNDS.body) : "Please write the mail",
  };
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem));
}

/** The steps that change what is mailed, and deletion. */
export type StepName = "activate" | "deactivate" | "delete";

/** What a step is called and what it does, before somebody confirms it. */
export function stepWords(name: StepName, kind: TemplateKind): Step {
  const mails = `Mails “${templateKind(kind).title}”`;
  switch (name) {
    case "activate":
      return {
        label: "Activate",
        title: (template) => `Activate “${template}”?`,
        consequence: `${mails} read so from the next one on, and no longer as they do now. All admins are mailed that you did it.`,
        confirm: "Activate",
      };
    case "deactivate":
      return {
        label: "Deactivate",
        title: (template) => `Deactivate “${template}”?`,
        consequence: `${mails} read as the shipped template again, from the next one on. This one stays here. All admins are mailed that you did it.`,
        confirm: "Deactivate",
      };
    case "delete":
      return {
        label: "Delete",
        title: (template) => `Delete “${template}” for good?`,
        consequence:
          "It is gone from this list with all its versions and cannot be restored. Mails stay as they are: it is not active.",
        confirm: "Delete",
      };
  }
}

/** Which steps a template takes as it stands: the active one is not deleted. */
export function stepsFor(status: TemplateStatus): readonly StepName[] {
  return status === "active" ? ["deactivate"] : ["activate", "delete"];
}

/** How a template stands, in a sentence. */
export function standingText(status: TemplateStatus, isDirty: boolean): string {
  const isActive = status === "active";
  if (isDirty)
    return isActive
      ? "Changes that are not saved. This template is active: once saved, mails read so, and all admins are mailed of it."
      : "Changes that are not saved";
  return isActive ? "Mails read as it is here" : "Saved, not mailed";
}

export interface TemplateFilter {
  readonly type: string;
  readonly status: string;
  readonly q: string;
}

/** The templates of a type and status whose name, kind or subject has the words. Empty filters take all. */
export function filtered(
  items: readonly TemplateItem[],
  { type, status, q }: TemplateFilter,
): readonly TemplateItem[] {
  const words = q.trim().toLowerCase();
  return items.filter((item) => {
    const told = [item.name, item.subject, templateKind(item.kind).title].join("\n").toLowerCase();
    return (
      (!type || item.type === type) && (!status || item.status === status) && told.includes(words)
    );
  });
}
