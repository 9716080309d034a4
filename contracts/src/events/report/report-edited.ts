import { Type } from "typebox";
import { partial, strict } from "../../report/fields.ts";
import type { ReportStatus } from "../../report/words.ts";
import { defineEvent, type OpenData, type OpenFields, type TextMapper } from "../definition.ts";
import type { ReportEvent } from "../index.ts";
import type { ReportState } from "./report-fold.ts";
import { hasTexts, mapTexts, type PlacedText, reportIn } from "./report-texts.ts";
import {
  BlindIndexes,
  clearFields,
  personalFields,
  ReporterBlindIndexes,
  reporterFields,
  Slug,
} from "./stored-report.ts";

const Names = Type.Array(Type.String({ minLength: 1 }));

/**
 * A moderator changed fields. `set` holds the new values, and `cleared` names the optional fields
 * that were emptied. Each is in the part that its values belong to, and both use stored names
 * (`amount_cents`). `fields` lists all changed fields by API name (`amount`) in API order, and is
 * kept after a deletion. `chargebacks` is set as a whole, both halves together.
 */
export const ReportEdited = defineEvent(
  "ReportEdited",
  1,
  strict({
    fields: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
    cleared: Names,
    set: partial(clearFields),
  }),
  {
    personal: strict({
      cleared: Names,
      /** New slug of a public report whose name changed. */
      slug: Type.Optional(Slug),
      /** All blind indexes of the report after the edit; present if any changed. */
      blind: Type.Optional(BlindIndexes),
      set: partial(personalFields),
    }),
    reporter: strict({
      set: partial(reporterFields),
      cleared: Names,
      /** Present if the reporter's address changed. */
      blind: Type.Optional(ReporterBlindIndexes),
    }),
  },
  { texts: { personal: reportIn("set"), reporter: reportIn("set") } },
);

/** Facts that every fold copies unchanged from a report's events. */
interface ReportFacts
  extends Pick<
    ReportState,
    "verified" | "slug" | "resolved" | "rejection_reason" | "rejection_code"
  > {
  readonly status: ReportStatus;
  readonly blind: BlindIndexes;
}

export const NOT_REJECTED = { rejection_reason: null, rejection_code: null } as const;

/** Returns the facts that the event sets. Facts that it does not change, or that are erased, are absent. */
export function factsOf(event: ReportEvent): Partial<ReportFacts> {
  switch (event.type) {
    case "ReportSubmitted": {
      const { personal } = event.data;
      return {
        status: "pending",
        verified: false,
        resolved: false,
        slug: null,
        ...(personal && { blind: personal.blind }),
        ...NOT_REJECTED,
      };
    }
    case "ReportEdited": {
      const { slug, blind } = event.data.personal ?? {};
      return { ...(slug !== undefined && { slug }), ...(blind && { blind }) };
    }
    case "ReportVerifiedByLink":
    case "ReportVerifiedByAccount":
    case "ReportVerifiedByHand":
      return { verified: true };
    case "ReportVerificationWithdrawn":
      return { verified: false };
    case "ReportApproved": {
      const { slug } = event.data.personal ?? {};
      return { status: "approved", ...(slug !== undefined && { slug }), ...NOT_REJECTED };
    }
    case "ReportRejected": {
      const { personal, reason_code } = event.data;
      return {
        status: "rejected",
        rejection_reason: personal?.reason ?? null,
        rejection_code: reason_code ?? null,
      };
    }
    case "ReportTextMasked": {
      const reason = textsAround(event.data).find(({ path }) => path === "rejection_reason");
      const { rejection_code = null } = event.data;
      return reason ? { rejection_reason: reason.text, rejection_code } : {};
    }
    case "ReportStatusSet":
      return { status: event.data.to, ...NOT_REJECTED };
    case "ReportTakenDown":
      return { status: "under_review" };
    case "ReportPutBack": {
      const { to, personal } = event.data;
      return { status: to, ...(personal && { slug: personal.slug }) };
    }
    case "ReportResolved":
      return { resolved: true };
    case "ReportUnresolved":
      return { resolved: false };
    default:
      return {};
  }
}

/** A reason code. The log does not restrict the values. */
const ReasonCode = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });
const { title, description, item_purchased, tracking_number, notes, chargebacks } = personalFields;
const { public_username } = reporterFields;

/** Texts around the report, as masked. */
const around = Type.Optional(
  Type.Array(strict({ path: Type.String({ minLength: 1 }), text: Type.String({ minLength: 1 }) }), {
    minItems: 1,
  }),
);
type Texts = { readonly set: object; readonly around?: readonly PlacedText[] };

const textsOf: TextMapper = (part, change) => {
  const { set, around } = part as unknown as Texts;
  return {
    set: mapTexts(set as OpenFields, change),
    ...(around && { around: around.map(({ path, text }) => ({ path, text: change(text) })) }),
  };
};

/**
 * Private text was masked. `set` holds all free texts of the report after masking, `around` those
 * that changed in questions, answers, notes and reasons. `fields` lists what changed by API name.
 * `rejection_code` is present if the rejection reason changed and had a code. Right after this
 * event, the keys of all earlier events with the private text are destroyed, and their texts read
 * as masked. The report itself is not deleted.
 */
export const ReportTextMasked = defineEvent(
  "ReportTextMasked",
  1,
  strict({
    fields: Type.Array(Type.String({ minLength: 1 })),
    rejection_code: Type.Optional(ReasonCode),
    keys: Type.Array(Type.String({ pattern: "^text-[0-9a-z-]+-[0-9]+$" }), { minItems: 1 }),
  }),
  {
    personal: strict({
      set: partial({ title, description, item_purchased, tracking_number, notes, chargebacks }),
      around,
    }),
    reporter: strict({ set: partial({ public_username }), around }),
  },
  { required: ["personal"], texts: { personal: textsOf, reporter: textsOf } },
);

type Masked = OpenData<typeof ReportTextMasked>;

/** Converts a masking to the equivalent edit. */
export function asEdit({ fields, personal, reporter }: Masked): OpenData<typeof ReportEdited> {
  return {
    fields,
    set: {},
    cleared: [],
    ...(personal === undefined ? {} : { personal: personal && { set: personal.set, cleared: [] } }),
    ...(reporter === undefined ? {} : { reporter: reporter && { set: reporter.set, cleared: [] } }),
  };
}

/** Returns the texts around the report, as masked. */
export function textsAround({ personal, reporter }: Masked): readonly PlacedText[] {
  return [...(personal?.around ?? []), ...(reporter?.around ?? [])];
}

/** Applies one event to the list of report fields whose texts read as masked. */
export function evolveMasked(masked: readonly string[], event: ReportEvent): readonly string[] {
  const parts = partsOf(event);
  if (parts.length === 0) return masked;
  const replaced = new Set(parts.flatMap(({ set, cleared }) => [...Object.keys(set), ...cleared]));
  const isMasked = event.data.masked === true;
  return [
    ...masked.filter((field) => !replaced.has(field)),
    ...(isMasked ? parts.flatMap(({ set }) => Object.keys(set).filter(hasTexts(set))) : []),
  ];
}

interface Part {
  readonly set: Readonly<Record<string, unknown>>;
  readonly cleared: readonly string[];
}

function partsOf({ type, data }: ReportEvent): Part[] {
  switch (type) {
    case "ReportSubmitted":
      return [data.personal, data.reporter].flatMap((part) =>
        part ? [{ set: part.report, cleared: [] }] : [],
      );
    case "ReportEdited":
      return [data.personal, data.reporter].flatMap((part) => part ?? []);
    case "ReportTextMasked":
      return [data.personal, data.reporter].flatMap((part) =>
        part ? [{ set: part.set, cleared: [] }] : [],
      );
    default:
      return [];
  }
}
