import { Type } from "typebox";
import { UnsubscribeToken } from "#contracts/http/unsubscribe.ts";
import { ROLES } from "#http/actor.ts";
import type { ServiceInstance } from "#http/service.ts";

/** An email's link opened in a browser. It changes nothing, since programs open links too. */
export function unsubscribePageRoute(app: ServiceInstance): void {
  app.get(
    "/prod/api/unsubscribe/:token",
    {
      config: { roles: ROLES, limit: "read" },
      schema: {
        tags: ["accounts"],
        summary: "The unsubscribe page of a link from an email",
        params: UnsubscribeToken,
        response: { 303: Type.Null({ description: "The page" }) },
      },
    },
    async ({ params }, reply) => reply.redirect(`/unsubscribe/${params.token}`, 303),
  );
}
