import { sql } from "kysely";
import type { Resolution } from "#contracts/events/report/resolution.ts";
import {
  OPEN_RESOLUTIONS,
  OpenResolution,
  type StaffResolution,
} from "#contracts/http/resolution.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { fromCents } from "#contracts/report/money.ts";
import { shown } from "#http/envelope.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { RESOLUTION_STAGE } from "#read-model/tables/report.ts";
import { readThroughIndexes } from "../keyset-lists.ts";

type OpenResolutionRow = Awaited<ReturnType<typeof findOpenResolutions>>[number];

/** Returns open requests for the RESOLVED banner: letters to review first, oldest first; one more than shown. */
export function findOpenResolutions(db: ReadModelDatabase) {
  const stage = sql<"requested" | "letter_accepted">`${sql.raw(RESOLUTION_STAGE)}`;
  return readThroughIndexes(db, "ordered", (reads) =>
    reads.db
      .selectFrom("reports.report")
      .select(["id", "first_name", "last_name", "status", "resolution", "resolution_at"])
      .where("resolution_at", "is not", null)
      .where(stage, "in", ["requested", "letter_accepted"])
      .orderBy(stage, "desc")
      .orderBy("resolution_at")
      .orderBy("id")
      .limit(OPEN_RESOLUTIONS + 1)
      .execute(),
  );
}

/** Presents a request for the RESOLVED banner to staff; undefined if there is none. */
export function presentResolution(
  resolution: Resolution | null,
  changedAt: Date | null,
): StaffResolution | undefined {
  if (!resolution || !changedAt) return undefined;
  const { request_id, file_id, stage, refusal, payments } = resolution;
  return {
    request_id,
    stage,
    fee: money(resolution),
    changed_at: changedAt.toISOString(),
    payments: payments.map(({ payment_id, method, reference, refunded, ...payment }) => ({
      payment_id,
      method,
      paid: money(payment),
      refunded,
      ...omitUndefined({ reference }),
    })),
    ...omitUndefined({ refusal, file_id }),
  };
}

/** Presents an open request in the console's list; empty for a row without one. */
export function presentOpenResolution(row: OpenResolutionRow): OpenResolution[] {
  const { id, status, resolution, resolution_at } = row;
  if (!resolution || !resolution_at) return [];
  const { stage } = resolution;
  if (stage !== "requested" && stage !== "letter_accepted") return [];
  return [
    shown(OpenResolution, {
      ...row,
      number: reportNumber(id),
      is_public: status === "approved",
      stage,
      fee: money(resolution),
      since: resolution_at,
    }),
  ];
}

function money({ currency, amount_cents }: Pick<Resolution, "currency" | "amount_cents">) {
  return { currency, amount: fromCents(amount_cents) };
}
