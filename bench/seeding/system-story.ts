import { streams } from "#contracts/events/index.ts";
import type { Act } from "./history.ts";
import type { Random } from "./random.ts";

/** An admin empties the caches of all processes. */
export function systemActs(random: Random, adminId: string, time: string): Act[] {
  const action = { job_id: random.uuid(), action: "clear-cache" };
  return [
    {
      stream: streams.system(action.job_id),
      events: [
        { type: "SystemActionStarted", data: action },
        { type: "SystemActionEnded", data: { ...action, outcome: "done", count: 3 } },
      ],
      actor: { id: adminId, role: "admin" },
      time,
      needs: [],
      destroys: [],
    },
  ];
}
