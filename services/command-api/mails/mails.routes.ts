import {
  MailId,
  READ_MAIL,
  RESEND_MAIL,
  ReadMailReply,
  ResendReply,
} from "#contracts/http/admin-mails.ts";
import { templateVariables } from "#contracts/mail/template-variables.ts";
import { strict } from "#contracts/report/fields.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { TemplateRenderer } from "#mail-templates/template-renderer.ts";
import { PastMails } from "#mail-templates/writing/past-mails.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { MailReader } from "./past-mails.service.ts";
import { resend } from "./resend.service.ts";

/** Adds the routes to read emails and to resend failed ones. */
export function mailRoutes(app: ServiceInstance, side: WriteSide): void {
  const { letterhead, operatorEmail, publicUrl } = side;
  const renderer = new TemplateRenderer();
  app.addHook("onClose", () => renderer.close());
  const mails = new PastMails({
    ...side,
    renderer,
    publicUrl: publicUrl ?? templateVariables.site_url.sample,
    operatorEmail,
    salesEmail: () => letterhead.supportEmail,
  });
  const reader = new MailReader({ ...side, mails });
  const command = commandsOf(app, "mails");
  const one = {
    roles: ["admin"],
    params: strict({ id: MailId }),
    body: strict({}),
  } as const;
  command("POST", RESEND_MAIL, {
    ...one,
    limit: "write",
    summary: "Resend a failed email",
    reply: ResendReply,
    async run(request) {
      const { id } = request.params;
      const { position } = await resend(id, request.envelope(id, {}), side);
      return succeed({ id }, { message: "The email will be sent again", position });
    },
  });
  command("POST", READ_MAIL, {
    ...one,
    limit: "reveal",
    proof: true,
    summary: "Read an email, without its links; logged first",
    reply: ReadMailReply,
    async run(request) {
      const { id } = request.params;
      const { reading, position } = await reader.read(id, request.envelope(id, {}));
      return succeed(reading, { position });
    },
  });
}
