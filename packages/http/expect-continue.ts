import type { FastifyInstance } from "fastify";

/**
 * Asks for a body announced by `Expect: 100-continue` (RFC 9110, section 10.1.1) only after the
 * caller is admitted and the announced length is within the route's limit. A request refused before
 * that gets its final reply at once, and its body need not be sent.
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
