import { type Static, Type } from "typebox";
import { codes, strict } from "../report/fields.ts";
import { RESOLUTION_STAGES } from "../report/resolution.ts";
import { reply } from "./envelope.ts";
import { afterOf, KEYSET_PAGE, Next } from "./keyset.ts";
import { ListedReport } from "./listed-report.ts";
import { StaffResolution } from "./resolution.ts";

/** Where admins read the fees of all reports. */
export const ADMIN_PAYMENTS = "/prod/api/admin/payments";

const { stage, fee, changed_at, payments } = StaffResolution.properties;

/** The fee of a report's last request for the RESOLVED banner, with what was paid of it. */
export const ListedPayment = strict({ report: ListedReport, stage, fee, changed_at, payments });
export type ListedPayment = Static<typeof ListedPayment>;

/** GET: those that moved on last first. */
export const PaymentsQuery = strict({
  stage: Type.Optional(codes(RESOLUTION_STAGES)),
  after: afterOf("payments"),
});
export type PaymentsQuery = Static<typeof PaymentsQuery>;
export const PaymentsReply = reply(
  strict({ payments: Type.Array(ListedPayment, { maxItems: KEYSET_PAGE }), next: Next }),
);
export type Payments = Static<typeof PaymentsReply>["data"];
