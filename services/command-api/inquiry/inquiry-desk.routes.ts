import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import {
  ADMIN_INQUIRY,
  AddInquiryNote,
  ChangeInquiryStatus,
  DiscloseReply,
  DiscloseReport,
  InquiryStateReply,
  RevealInquiryReply,
} from "#contracts/http/admin-inquiries.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { sendFile } from "../evidence/send-file.ts";
import { addCommandRoutes, commandRoute } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { InquiryDesk } from "./inquiry-desk.service.ts";

const Id = strict({ id: ReportId });
const staff = { method: "POST", roles: ["admin"], tag: "inquiries", params: Id } as const;

/** What admins do about inquiries. */
export function inquiryDeskRoutes(app: ServiceInstance, side: WriteSide): void {
  const { requests } = side;
  const desk = new InquiryDesk(side);
  addCommandRoutes(app, [
    commandRoute({
      ...staff,
      url: `${ADMIN_INQUIRY}/status`,
      limit: "write",
      summary: "Change the status of an inquiry",
      body: ChangeInquiryStatus,
      reply: InquiryStateReply,
      async run(request, response) {
        const { id } = request.params;
        const envelope = requests.envelope(request, id, request.body);
        const { position, ...standing } = await desk.changeStatus(id, request.body, envelope);
        requests.position(response, position);
        return succeed(standing, { message: "Status changed" });
      },
    }),
    commandRoute({
      ...staff,
      url: `${ADMIN_INQUIRY}/notes`,
      limit: "write",
      summary: "Add a note to an inquiry, sealed under the inquiry's key",
      body: AddInquiryNote,
      tidy: [trimText],
      reply: InquiryStateReply,
      async run(request, response) {
        const { id } = request.params;
        const envelope = requests.envelope(request, id, request.body);
        const { position, ...standing } = await desk.addNote(id, request.body, envelope);
        requests.position(response, position);
        return succeed(standing, { message: "Note added" });
      },
    }),
    commandRoute({
      ...staff,
      url: `${ADMIN_INQUIRY}/reveal`,
      limit: "reveal",
      proof: true,
      summary: "Open what was sent with an inquiry; the look is written into the log first",
      body: strict({}),
      reply: RevealInquiryReply,
      async run(request, response) {
        const caller = requests.caller(request);
        const { answers, position } = await desk.reveal(request.params.id, caller);
        requests.position(response, position);
        return succeed(answers);
      },
    }),
    commandRoute({
      ...staff,
      url: `${ADMIN_INQUIRY}/disclose`,
      limit: "reveal",
      proof: true,
      summary:
        "Open a report for a request of law enforcement; the disclosure is written into the log first",
      body: DiscloseReport,
      reply: DiscloseReply,
      async run(request, response) {
        const { params, body } = request;
        const envelope = requests.envelope(request, params.id, body);
        const { report, position } = await desk.disclose(params.id, body.report_id, envelope);
        requests.position(response, position);
        return succeed(report);
      },
    }),
  ]);
  app.route({
    method: "POST",
    url: `${ADMIN_INQUIRY}/document`,
    config: { roles: ["admin"], limit: "reveal", proof: true },
    schema: {
      tags: ["inquiries"],
      summary: "Open the document of an inquiry; the look is written into the log first",
      params: Id,
      body: strict({}),
      produces: ["application/octet-stream"],
      response: { 200: Type.Any() },
    },
    handler: async (request, reply) => {
      const file = await desk.document(request.params.id, requests.caller(request));
      requests.position(reply, file.position);
      return sendFile(reply, file);
    },
  });
}

/** A note of spaces is none. */
export async function trimText(request: FastifyRequest): Promise<void> {
  const body = request.body as { readonly text?: unknown } | null;
  if (typeof body === "object" && typeof body?.text === "string")
    request.body = { ...body, text: body.text.trim() };
}
