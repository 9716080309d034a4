import type { Count, TallyTable } from "../../keyed/tallies.ts";
import type { EntryRow } from "./audit-rows.ts";

const FACETS: TallyTable = {
  name: "figure_facet",
  keys: ["event_type", "command", "actor_role", "status", "stream_kind"],
  sums: ["entries"],
};

/** What an entry counts for in the figures: once, under what it shares with many others. */
export function figuresOf({ event_type, command, actor_role, status, stream }: EntryRow): Count[] {
  const [kind = stream] = stream.split("-", 1);
  return [{ tally: FACETS, key: [event_type, command, actor_role, status, kind], sums: [1] }];
}
