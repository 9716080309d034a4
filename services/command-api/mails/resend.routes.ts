import { MailId, RESEND_MAIL, ResendReply } from "#contracts/http/admin-mails.ts";
import { strict } from "#contracts/report/fields.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf, emptyBody } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { ResendService } from "./resend.service.ts";

/** Having a failed mail sent again. */
export function resendRoute(app: ServiceInstance, side: WriteSide): void {
  const { requests } = side;
  const resends = new ResendService(side);
  const command = commandsOf(app, "mails");
  command("POST", RESEND_MAIL, {
    roles: ["admin"],
    limit: "write",
    summary: "Resend a failed email",
    params: strict({ id: MailId }),
    body: strict({}),
    tidy: [emptyBody],
    reply: ResendReply,
    async run(request, response) {
      const { id } = request.params;
      const { position } = await resends.resend(id, requests.envelope(request, id, {}));
      requests.position(response, position);
      return succeed({ id }, { message: "The email will be sent again" });
    },
  });
}
