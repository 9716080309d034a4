import { DoneReply } from "#contracts/http/envelope.ts";
import { LeaveReport, QUEUE, TakenReply, TakeReport } from "#contracts/http/queue.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";

const ADMIN = ["admin"] as const;

/** How moderators share the queue. Nothing of it is in the log. */
export function queueRoutes(app: ServiceInstance, { queue, requests }: WriteSide): void {
  const command = commandsOf(app, "moderation");
  command("POST", `${QUEUE}/take`, {
    roles: ADMIN,
    limit: "write",
    summary: "Reserve a report in the queue for ten minutes",
    body: TakeReport,
    reply: TakenReply,
    run: async (request) =>
      succeed(await queue.take(request.body.reports, requests.caller(request))),
  });
  command("POST", `${QUEUE}/leave`, {
    roles: ADMIN,
    limit: "write",
    summary: "Release a report in the queue",
    body: LeaveReport,
    reply: DoneReply,
    async run(request) {
      await queue.leave(request.body.report, requests.caller(request));
      return done("Others can take the report now");
    },
  });
}
