import { Type } from "typebox";
import { TEMPLATE_BOUNDS, type TemplateStatus } from "../mail/template-kinds.ts";
import { strict } from "../report/fields.ts";
import { defineEvent } from "./definition.ts";
import type { TemplateEvent } from "./index.ts";
import { Id } from "./user/account-state.ts";
import { MAX_NOTIFIED_ADMINS } from "./user/user-events.ts";

/* All templates of one kind of email share a stream, so that only one can be active. */

/** Accounts of the admins emailed about it; present if the text that is sent changed. */
const NotifiedAdmins = Type.Optional(
  Type.Array(Id, { minItems: 1, maxItems: MAX_NOTIFIED_ADMINS, uniqueItems: true }),
);

/** The whole template, even if only a part changed. It is free text and may name someone. */
const template = strict({
  /** Its name in the console. */
  name: Type.String({ minLength: 1, maxLength: TEMPLATE_BOUNDS.name }),
  /** One line of Liquid. */
  subject: Type.String({ minLength: 1, maxLength: TEMPLATE_BOUNDS.subject }),
  /** Liquid in Markdown. */
  body: Type.String({ minLength: 1, maxLength: TEMPLATE_BOUNDS.body }),
});
const whole = { required: ["template"] } as const;

/** Someone created a template as a draft, a copy of another template or of the default. */
export const TemplateCreated = defineEvent(
  "TemplateCreated",
  1,
  strict({ template_id: Id, from: Type.Optional(Id) }),
  { template },
  whole,
);

/** The template was edited. If it is active, emails change too. */
export const TemplateEdited = defineEvent(
  "TemplateEdited",
  1,
  strict({ template_id: Id, told: NotifiedAdmins }),
  { template },
  whole,
);

/** An earlier version of the template was restored. */
export const TemplateRestored = defineEvent(
  "TemplateRestored",
  1,
  strict({
    template_id: Id,
    /** Revision of the event that holds that version. */
    revision: Type.Integer({ minimum: 0 }),
    told: NotifiedAdmins,
  }),
  { template },
  whole,
);

/** Emails of this kind now use this template. The previously active one is inactive. */
export const TemplateActivated = defineEvent(
  "TemplateActivated",
  1,
  strict({ template_id: Id, told: NotifiedAdmins }),
  {},
);

/** Emails of this kind use the default again. */
export const TemplateDeactivated = defineEvent(
  "TemplateDeactivated",
  1,
  strict({ template_id: Id, told: NotifiedAdmins }),
  {},
);

/** An admin sent a test email to their own account, with the template at this revision. */
export const TemplateTested = defineEvent(
  "TemplateTested",
  1,
  strict({ template_id: Id, to: Id }),
  {},
);

/** The template was deleted. It wasn't active. */
export const TemplateDeleted = defineEvent("TemplateDeleted", 1, strict({ template_id: Id }), {});

export const templateDefinitions = [
  TemplateCreated,
  TemplateEdited,
  TemplateRestored,
  TemplateActivated,
  TemplateDeactivated,
  TemplateTested,
  TemplateDeleted,
] as const;

type Created = Extract<TemplateEvent, { type: "TemplateCreated" }>["data"];
/** Name, subject and body. */
export type TemplateText = NonNullable<Created["template"]>;

/** One template of a kind of email. */
export interface TemplateState {
  readonly id: string;
  readonly status: TemplateStatus | "deleted";
  /** Revision, in its kind's stream, of the last event that changed this template. */
  readonly revision: number;
  /** Null if its key was destroyed. */
  readonly text: TemplateText | null;
}

/** All templates of a kind of email. */
export interface KindState {
  /** Revision of the stream's last event. */
  readonly revision: number;
  /** ID of the template in use; absent while the default is. */
  readonly active?: string;
  readonly templates: ReadonlyMap<string, TemplateState>;
}

/** Applies one event to the templates of a kind. */
export function evolveTemplates(state: KindState | undefined, event: TemplateEvent): KindState {
  const { active, templates } = state ?? { active: undefined, templates: new Map() };
  const revision = (state?.revision ?? -1) + 1;
  const { template_id: id } = event.data;
  const before: TemplateState = templates.get(id) ?? { id, status: "draft", revision, text: null };
  const kept = active === undefined ? {} : { active };
  const changed = (change: Partial<TemplateState>) =>
    new Map(templates).set(id, { ...before, revision, ...change });
  switch (event.type) {
    case "TemplateCreated":
    case "TemplateEdited":
    case "TemplateRestored":
      return { ...kept, revision, templates: changed({ text: event.data.template ?? null }) };
    case "TemplateActivated": {
      const all = changed({ status: "active" });
      const former = active === undefined || active === id ? undefined : all.get(active);
      if (former) all.set(former.id, { ...former, status: "inactive" });
      return { active: id, revision, templates: all };
    }
    case "TemplateDeactivated":
      return {
        ...(active === id ? {} : kept),
        revision,
        templates: changed({ status: "inactive" }),
      };
    case "TemplateTested":
      return { ...kept, revision, templates };
    case "TemplateDeleted":
      return { ...kept, revision, templates: changed({ status: "deleted" }) };
  }
}

/** Returns the stream name of a kind's templates, such as `template-two-factor-on`. A kind of email is a code. */
export function templateStream(kind: string): string {
  return `template-${kind.replaceAll("_", "-")}`;
}

/** Returns the kind of email whose templates the stream holds, or undefined for any other stream. */
export function kindOfTemplates(stream: string): string | undefined {
  return /^template-(.+)$/.exec(stream)?.[1]?.replaceAll("-", "_");
}
