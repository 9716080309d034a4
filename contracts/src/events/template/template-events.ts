import { Type } from "typebox";
import { TEMPLATE_BOUNDS } from "../../mail/template-bounds.ts";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Id } from "../user/account-parts.ts";
import { MOST_TOLD } from "../user/standing-events.ts";

/* All templates of one kind of mail are in one stream, so that one of them is active. */

/** Accounts of the admins who are mailed of it: present where what is mailed is another text now. */
const Told = Type.Optional(Type.Array(Id, { minItems: 1, maxItems: MOST_TOLD, uniqueItems: true }));

/** The whole template, whatever of it has changed. It is free text, and may name somebody. */
const template = strict({
  /** Its name in the console. */
  name: Type.String({ minLength: 1, maxLength: TEMPLATE_BOUNDS.name }),
  /** One line of Liquid. */
  subject: Type.String({ minLength: 1, maxLength: TEMPLATE_BOUNDS.subject }),
  /** Liquid in Markdown. */
  body: Type.String({ minLength: 1, maxLength: TEMPLATE_BOUNDS.body }),
});
const whole = { required: ["template"] } as const;

/** Somebody began a template. It is a draft, and a copy: of another one, or of what the software ships. */
export const TemplateCreated = defineEvent(
  "TemplateCreated",
  1,
  strict({ template_id: Id, from: Type.Optional(Id) }),
  { template },
  whole,
);

/** The template reads otherwise. If it is active, so do mails. */
export const TemplateEdited = defineEvent(
  "TemplateEdited",
  1,
  strict({ template_id: Id, told: Told }),
  { template },
  whole,
);

/** The template reads as in one of its earlier versions again. */
export const TemplateRestored = defineEvent(
  "TemplateRestored",
  1,
  strict({
    template_id: Id,
    /** Revision of the event that holds that version. */
    revision: Type.Integer({ minimum: 0 }),
    told: Told,
  }),
  { template },
  whole,
);

/** Mails of the kind read as this template from here on. The one that was active is inactive. */
export const TemplateActivated = defineEvent(
  "TemplateActivated",
  1,
  strict({ template_id: Id, told: Told }),
  {},
);

/** Mails of the kind read as the software ships them again. */
export const TemplateDeactivated = defineEvent(
  "TemplateDeactivated",
  1,
  strict({ template_id: Id, told: Told }),
  {},
);

/** An admin had a test mail sent to their own account: the template as it reads at this revision. */
export const TemplateTested = defineEvent(
  "TemplateTested",
  1,
  strict({ template_id: Id, to: Id }),
  {},
);

/** The template is gone from the console. It was not active. */
export const TemplateDeleted = defineEvent("TemplateDeleted", 1, strict({ template_id: Id }), {});
