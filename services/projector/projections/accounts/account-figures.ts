import type { Count, TallyTable } from "../../keyed/tallies.ts";
import type { AccountRow } from "./account-row.ts";

const STATUS: TallyTable = { name: "figure_status", keys: ["status"], sums: ["accounts"] };
const DAY: TallyTable = { name: "figure_day", keys: ["day"], sums: ["registered"] };

const OVER: readonly AccountRow["status"][] = ["erased", "expired", "replaced"];

/** What an account counts for in the figures: nothing once it is over. */
export function figuresOf({ status, created_at }: AccountRow): Count[] {
  if (OVER.includes(status)) return [];
  return [
    { tally: STATUS, key: [status], sums: [1] },
    { tally: DAY, key: [new Date(created_at).toISOString().slice(0, 10)], sums: [1] },
  ];
}
