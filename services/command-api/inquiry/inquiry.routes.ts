import type { FastifyRequest } from "fastify";
import type { NamedUpload } from "#contracts/http/evidence.ts";
import { InquiryReply, inquiryBody } from "#contracts/http/inquiries.ts";
import {
  ATTACHMENT,
  HONEYPOT,
  type InquiryKind,
  inquiryForms,
  inquiryProblems,
  tidyInquiry,
} from "#contracts/inquiry/inquiry-forms.ts";
import type { Payload } from "#contracts/report/submission-rules.ts";
import { ROLES } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";

type Sent = Record<string, string> & { readonly [ATTACHMENT]?: NamedUpload };

/** Lets a form send all its fields, and reports problems with the form's own messages. */
function tidyForm(kind: InquiryKind) {
  return async (request: FastifyRequest): Promise<void> => {
    const { body } = request;
    if (typeof body !== "object" || body === null || Array.isArray(body)) return;
    const tidied = tidyInquiry(body as Payload);
    request.body = tidied;
    const problems = inquiryProblems(kind, tidied);
    if (Object.keys(problems).length > 0) throw invalidRequest(problems);
  };
}

/** Adds a route for each form that anyone can send to the registry's staff. */
export function inquiryRoutes(app: ServiceInstance, { inquiries }: WriteSide): void {
  const command = commandsOf(app, "inquiries");
  for (const kind of Object.keys(inquiryForms) as InquiryKind[]) {
    const form = inquiryForms[kind];
    command("POST", form.path, {
      roles: ROLES,
      limit: "inquiry",
      summary: `Send the form "${form.title}"`,
      body: inquiryBody(form),
      reply: InquiryReply,
      tidy: [tidyForm(kind)],
      async run(request) {
        const { [HONEYPOT]: trap, [ATTACHMENT]: upload, ...answers } = request.body as Sent;
        // Return an error, since a person's browser may autofill the hidden field.
        if (trap !== undefined) throw invalidRequest({ [HONEYPOT]: "Leave this field empty" });
        const { promise } = form;
        // The upload's secret isn't part of what a retry must repeat.
        const file = upload && { [ATTACHMENT]: { id: upload.id, name: upload.name } };
        const envelope = request.envelope(kind, { ...answers, ...file });
        const { number, position } = await inquiries.send(kind, answers, envelope, upload);
        return succeed({ number, promise }, { position });
      },
    });
  }
}
