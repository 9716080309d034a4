import { Type } from "typebox";
import { partial, strict } from "../../report/fields.ts";
import type { ReportStatus } from "../../report/words.ts";
import { defineEvent } from "../definition.ts";
import type { ReportEvent } from "../index.ts";
import type { ReportState } from "./report-fold.ts";
import { textsAround } from "./report-text-masked.ts";
import { reportIn } from "./report-texts.ts";
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
      /** The new address of a public report whose name changed. */
      slug: Type.Optional(Slug),
      /** All blind indexes of the report after the edit; present when one changed. */
      blind: Type.Optional(BlindIndexes),
      set: partial(personalFields),
    }),
    reporter: strict({
      set: partial(reporterFields),
      cleared: Names,
      /** Present when the reporter's address changed. */
      blind: Type.Optional(ReporterBlindIndexes),
    }),
  },
  { texts: { personal: reportIn("set"), reporter: reportIn("set") } },
);

/** What a report's events say in the clear. Every fold keeps it unchanged. */
interface ReportFacts
  extends Pick<
    ReportState,
    "verified" | "slug" | "resolved" | "rejection_reason" | "rejection_code"
  > {
  readonly status: ReportStatus;
  readonly blind: BlindIndexes;
}

export const NOT_REJECTED = { rejection_reason: null, rejection_code: null } as const;

/** The facts that the event sets. Facts that it does not change, or that are erased, are absent. */
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
