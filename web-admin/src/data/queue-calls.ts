import { QUEUE, type Queue, type Taken } from "#contracts/http/queue.ts";
import type { ApiClient } from "./api-client.ts";

/** How moderators share the queue. */
export interface QueueCalls {
  /** What waits for this moderator, and what others have. */
  queue(): Promise<Queue>;
  /** Takes the first of these reports that nobody else has. */
  takeReport(reports: readonly string[]): Promise<Taken>;
  /** Lets others have a report again. */
  leaveReport(report: string): Promise<void>;
}

/** These calls with one session's client. */
export function queueCalls(client: ApiClient): QueueCalls {
  return {
    async queue() {
      return ((await client.request(QUEUE)).json as { data: Queue }).data;
    },
    async takeReport(reports) {
      const reply = await client.command(`${QUEUE}/take`, "POST", { reports });
      return (reply.json as { data: Taken }).data;
    },
    async leaveReport(report) {
      await client.command(`${QUEUE}/leave`, "POST", { report });
    },
  };
}
