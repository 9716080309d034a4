import { Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import { PUBLISHED_EVIDENCE } from "#contracts/http/evidence.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { ROLES } from "#http/actor.ts";
import { messages } from "#http/errors.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { isShown } from "./evidence.queries.ts";

/** Published pictures of evidence. */
export function evidenceRoutes(app: ServiceInstance, { db, files, freshness }: ReadSide): void {
  app.route({
    method: "GET",
    url: PUBLISHED_EVIDENCE,
    config: { roles: ROLES, limit: "read" },
    schema: {
      tags: ["public reports"],
      summary: "A published picture of an approved report's evidence",
      params: strict({ id: ReportId, copyId: ReportId }),
      produces: ["image/webp"],
      response: { 200: Type.Any(), 304: Type.Null() },
    },
    preHandler: freshness.waitFor(["reports"], "one"),
    handler: async (request, reply) => {
      const { id, copyId } = request.params;
      // An unknown copy, a hidden one and one of a non-public report must be indistinguishable.
      if (!(await isShown(db, id, copyId))) throw nothing();
      // The key is destroyed with the decision to hide it, before the tables are updated.
      const file = await files.get(copyId);
      if (file.state !== "present") throw nothing();
      const etag = `"${copyId}"`;
      // Caches must revalidate on each use, so that none shows a copy that has since been hidden.
      reply.header("cache-control", "public, max-age=0, must-revalidate");
      reply.header("etag", etag);
      if (request.headers["if-none-match"] === etag) {
        file.content.destroy();
        return reply.code(304).send(null);
      }
      return (
        reply
          .type("image/webp")
          .header("content-length", file.bytes)
          .header("content-disposition", 'inline; filename="evidence.webp"')
          // Opened directly, it is a page with an opaque origin, in which nothing runs.
          .header("content-security-policy", "default-src 'none'; sandbox")
          // Keeps search engines from showing it next to names.
          .header("x-robots-tag", "noindex")
          .send(file.content)
      );
    },
  });
}

function nothing(): DomainError {
  return new DomainError("not_found", messages.not_found);
}
