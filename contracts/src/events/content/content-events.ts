import { Type } from "typebox";
import { SLUG_PATTERN } from "../../content/content-rules.ts";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";

/** What kind of text it is. The log does not limit which kinds exist. */
const Kind = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });

/**
 * The whole text, whatever of it has changed, so that each version is one event. It is sealed because
 * a text may name a person, and what is deleted must be gone from every copy of the log.
 */
const content = strict({
  /** Last part of its address. It never changes: the stream's id is derived from it. */
  slug: Type.String({ pattern: SLUG_PATTERN }),
  title: Type.String({ minLength: 1 }),
  /** One sentence for lists and search engines; may be empty. */
  description: Type.String(),
  /** Markdown; `{{name}}` stands for a value. */
  body: Type.String(),
  /** Its place among the frequent questions. */
  order: Type.Optional(Type.Integer({ minimum: 0 })),
});

/** Of a legal text: its version, and the day since which it is in force. */
const inForce = {
  version: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d(?:\\.\\d{1,4})?$" })),
  effective_date: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d$" })),
};
const whole = { required: ["content"] } as const;

/**
 * A text as it ships with the software, and as it has been public. Appended with the first change of
 * it, so that this change can be compared and undone.
 */
export const ContentShipped = defineEvent(
  "ContentShipped",
  1,
  strict({ kind: Kind, ...inForce }),
  { content },
  whole,
);

/** Somebody began a text. It is a draft. */
export const ContentCreated = defineEvent(
  "ContentCreated",
  1,
  strict({ kind: Kind }),
  { content },
  whole,
);

/** The draft is this text now. What is public stays as it is. */
export const ContentEdited = defineEvent("ContentEdited", 1, strict({}), { content }, whole);

/** The draft is an earlier version again. */
export const ContentRestored = defineEvent(
  "ContentRestored",
  1,
  /** Revision of the event that holds that version. */
  strict({ revision: Type.Integer({ minimum: 0 }) }),
  { content },
  whole,
);

/** The draft is public from here on. */
export const ContentPublished = defineEvent("ContentPublished", 1, strict(inForce), {});

/** The text is not public any more. The draft stays. */
export const ContentUnpublished = defineEvent("ContentUnpublished", 1, strict({}), {});

/** The text is removed for good; its key is destroyed right after this event. */
export const ContentDeleted = defineEvent("ContentDeleted", 1, strict({}), {});
