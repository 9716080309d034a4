import { DoneReply } from "#contracts/http/envelope.ts";
import { LeaveReport, QUEUE, TakenReply, TakeReport } from "#contracts/http/queue.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { takeFirst } from "./queue.service.ts";

const ADMIN = ["admin"] as const;

/** Registers the routes with which moderators share the queue. None of this is logged. */
export function queueRoutes(app: ServiceInstance, side: WriteSide): void {
  const { leases } = side;
  const command = commandsOf(app, "moderation");
  command("POST", `${QUEUE}/take`, {
    roles: ADMIN,
    limit: "write",
    summary: "Reserve a report in the queue for ten minutes",
    body: TakeReport,
    reply: TakenReply,
    run: async (request) => succeed(await takeFirst(side, request.body.reports, request.caller)),
  });
  command("POST", `${QUEUE}/leave`, {
    roles: ADMIN,
    limit: "write",
    summary: "Release a report in the queue",
    body: LeaveReport,
    reply: DoneReply,
    async run(request) {
      await leases.leave(request.body.report, request.actor.id);
      return done("Others can take the report now");
    },
  });
}
