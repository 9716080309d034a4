import type { TemplateStatus } from "../../mail/template-kinds.ts";
import type { TemplateEvent } from "../index.ts";

type Created = Extract<TemplateEvent, { type: "TemplateCreated" }>["data"];
/** Name, subject and body. */
export type TemplateText = NonNullable<Created["template"]>;

/** One template of a kind of mail. */
export interface TemplateState {
  readonly id: string;
  readonly status: TemplateStatus | "deleted";
  /** Revision, in its kind's stream, of the last event that changed this template. */
  readonly revision: number;
  /** Null where its key was destroyed. */
  readonly text: TemplateText | null;
}

/** All templates of a kind of mail. */
export interface KindState {
  /** Revision of the stream's last event. */
  readonly revision: number;
  /** The one whose words are mailed; absent while the shipped one's are. */
  readonly active?: string;
  readonly templates: ReadonlyMap<string, TemplateState>;
}

/** The templates of a kind after one more event. */
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
