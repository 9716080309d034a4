import type { FastifyInstance } from "fastify";

/**
 * Invites a body that was announced by `Expect: 100-continue` (RFC 9110, section 10.1.1) only once
 * the caller is admitted and the announced length is within the route's limit. Whatever is refused
 * before gets its final answer at once, and the body need not be sent.
 */
export function registerExpectContinue(app: FastifyInstance): void {
  app.server.on("checkContinue", (request, response) => app.routing(request, response));
  app.addHook("preParsing", async ({ headers, routeOptions }, reply) => {
    if (headers.expect?.toLowerCase() !== "100-continue") return;
    // A longer body is refused in the next step.
    if (Number(headers["content-length"] ?? 0) > routeOptions.bodyLimit) return;
    reply.raw.writeContinue();
  });
}
