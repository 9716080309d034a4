import { OPEN_RESOLUTIONS, OpenResolutionsReply } from "#contracts/http/resolution.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { findOpenResolutions, presentOpenResolution } from "./resolutions.queries.ts";

/** Open requests for the RESOLVED banner, awaiting staff or payment. */
export function resolutionRoutes(app: ServiceInstance, { db, freshness }: ReadSide): void {
  const read = reads(["admin"], "moderation", freshness.waitFor(["reports"], "any"));
  app.get(
    "/prod/api/admin/resolutions",
    read({
      summary: "Open requests for the RESOLVED banner",
      reply: OpenResolutionsReply,
    }),
    async () => {
      const rows = await findOpenResolutions(db);
      const shown = rows.slice(0, OPEN_RESOLUTIONS).flatMap(presentOpenResolution);
      return succeed({ resolutions: shown, has_more: rows.length > OPEN_RESOLUTIONS });
    },
  );
}
