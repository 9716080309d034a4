import { Unsubscribe, UnsubscribeReply, UnsubscribeToken } from "#contracts/http/unsubscribe.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { createUnsubscribeLinks } from "#vault/links/unsubscribe-link.ts";
import { addCommandRoutes, commandRoute } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { readOneClick } from "./one-click.ts";
import { UnsubscribeService } from "./unsubscribe.service.ts";

const FORMS = ["application/x-www-form-urlencoded", "multipart/form-data"];

/** One-click unsubscribe (RFC 8058). It alone takes the body of a form, as providers of mail send it. */
export async function unsubscribeRoutes(app: ServiceInstance, side: WriteSide): Promise<void> {
  const { requests } = side;
  const unsubscribing = createUnsubscribeLinks(await side.keys.liveKey("unsubscribe"), side.blind);
  const unsubscribe = new UnsubscribeService({ ...side, unsubscribing });
  app.addContentTypeParser(FORMS, { parseAs: "string" }, async (_: unknown, body: string) =>
    readOneClick(body),
  );
  addCommandRoutes(app, [
    commandRoute({
      method: "POST",
      url: "/prod/api/unsubscribe/:token",
      roles: ["visitor", "user", "admin", "auditor"],
      limit: "unsubscribe",
      tag: "accounts",
      summary: "Switch mails off, or on again, by the link of a mail",
      params: UnsubscribeToken,
      body: Unsubscribe,
      reply: UnsubscribeReply,
      async run(request) {
        const { params, body } = request;
        const { wanted } = body;
        const envelope = (id: string) => requests.envelope(request, id, { wanted });
        const { now } = requests.caller(request);
        const scope = await unsubscribe.set(params.token, wanted, envelope, now);
        return succeed({ scope, wanted });
      },
    }),
  ]);
}
