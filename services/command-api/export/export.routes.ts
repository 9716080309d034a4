import type { FastifyRequest } from "fastify";
import { ExportData, ExportReply } from "#contracts/http/account-export.ts";
import { succeed } from "#http/envelope.ts";
import { type CommandRoute, commandRoute, emptyBody } from "../kernel/command-route.ts";
import type { Requests } from "../kernel/requests.ts";
import type { ExportService } from "./export.service.ts";

/** A copy of everything that is stored about one's own account. */
export function exportRoutes(deps: {
  readonly exports: Pick<ExportService, "begin" | "goOn">;
  readonly requests: Requests;
  /** Counts a new export. */
  readonly spend: (request: FastifyRequest) => Promise<void>;
}): readonly CommandRoute[] {
  const { exports, requests, spend } = deps;
  return [
    commandRoute({
      method: "POST",
      url: "/prod/api/auth/export",
      roles: ["user", "admin", "auditor"],
      limit: "export_page",
      tag: "accounts",
      proof: true,
      summary: "Get a copy of one's own data, page by page; the log says so first",
      body: ExportData,
      reply: ExportReply,
      tidy: [emptyBody],
      async run(request, response) {
        const caller = requests.caller(request);
        const { next } = request.body;
        if (next !== undefined) return succeed(await exports.goOn(next, caller));
        await spend(request);
        const { page, position } = await exports.begin(caller);
        requests.position(response, position);
        return succeed(page);
      },
    }),
  ];
}
