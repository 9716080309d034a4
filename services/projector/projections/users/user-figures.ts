import type { Count, TallyTable } from "../../keyed/tallies.ts";
import type { UserRow } from "./user-row.ts";

const STANDING: TallyTable = {
  name: "figure_standing",
  keys: ["status", "role"],
  sums: ["accounts"],
};

/** What an account counts for in the figures: once, under its status and role. */
export function figuresOf({ status, role }: UserRow): Count[] {
  return [{ tally: STANDING, key: [status, role], sums: [1] }];
}
