import { SamplesReply } from "#contracts/http/reports.ts";
import { ROLES } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { samplesAreLoaded } from "./samples.queries.ts";

/**
 * Whether made-up samples are among the reports, for the notices of site and console. It does not
 * wait for a position: only the operator adds or clears samples, never a caller.
 */
export function samplesRoutes(app: ServiceInstance, { db }: ReadSide): void {
  const read = reads(ROLES, "public reports");
  app.get(
    "/prod/api/samples",
    read({
      summary: "Whether sample reports are loaded",
      reply: SamplesReply,
    }),
    async () => succeed({ loaded: await samplesAreLoaded(db) }),
  );
}
