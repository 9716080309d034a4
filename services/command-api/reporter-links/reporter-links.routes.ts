import { DoneReply } from "#contracts/http/envelope.ts";
import {
  AnswerQuestion,
  AskedQuestionReply,
  CorrectAddress,
  ReadQuestion,
  ReadReportStatus,
  ReportProgressReply,
} from "#contracts/http/unsubscribe.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { ANSWER_BOUNDS } from "#http/bounds.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { createReportLinks } from "#vault/links/report-link.ts";
import { addCommandRoutes, commandRoute } from "../kernel/command-route.ts";
import { ANSWERED } from "../report/own-report.routes.ts";
import type { WriteSide } from "../write-side.ts";
import { ReporterLinksService } from "./reporter-links.service.ts";

const EVERYBODY = ["visitor", "user", "admin", "auditor"] as const;

/** What reporters do without an account: by the links of their mails, and after a submission. */
export async function reporterLinkRoutes(app: ServiceInstance, side: WriteSide): Promise<void> {
  const { reports, requests, blind } = side;
  const reportLinks = createReportLinks(await side.keys.liveKey("unsubscribe"), blind);
  const reporterLinks = new ReporterLinksService({ ...side, reportLinks });
  addCommandRoutes(app, [
    commandRoute({
      method: "POST",
      url: "/prod/api/report-status",
      roles: EVERYBODY,
      limit: "report_link",
      tag: "submitting",
      summary: "How far a report is, by the link of a mail",
      body: ReadReportStatus,
      reply: ReportProgressReply,
      async run(request) {
        const { now } = requests.caller(request);
        return succeed(await reporterLinks.progress(request.body.token, now));
      },
    }),
    commandRoute({
      method: "POST",
      url: "/prod/api/report-question",
      roles: EVERYBODY,
      limit: "report_link",
      tag: "submitting",
      summary: "A moderator's question to the reporter, by the link of its mail",
      body: ReadQuestion,
      reply: AskedQuestionReply,
      async run(request) {
        const { now } = requests.caller(request);
        return succeed(await reporterLinks.question(request.body.token, now));
      },
    }),
    commandRoute({
      method: "POST",
      url: "/prod/api/report-question/answer",
      roles: EVERYBODY,
      limit: "link",
      bounds: ANSWER_BOUNDS,
      tag: "submitting",
      summary: "Answer a moderator's question by the link of its mail",
      body: AnswerQuestion,
      reply: DoneReply,
      async run(request, response) {
        const { token, answer } = request.body;
        const { now } = requests.caller(request);
        const envelope = (id: string) => requests.envelope(request, id, { answer });
        const { position } = await reporterLinks.answer(token, answer, envelope, now);
        requests.position(response, position);
        return done(ANSWERED);
      },
    }),
    commandRoute({
      method: "POST",
      url: "/prod/api/reports/:id/correct-address",
      roles: ["visitor", "user", "admin"],
      limit: "mail",
      tag: "submitting",
      summary: "Correct the address of a report that one has just submitted",
      params: strict({ id: ReportId }),
      body: CorrectAddress,
      reply: DoneReply,
      async run(request, response) {
        const { id } = request.params;
        const { token, email } = request.body;
        const envelope = requests.envelope(request, id, { email });
        reports.requireCorrection(id, token, envelope.caller.now);
        await app.limits.byMailbox(request, "correct_mailbox", email);
        const { position } = await reports.correctAddress(id, email, envelope);
        requests.position(response, position);
        return done(
          "The address is corrected. A mail is on its way there; the earlier link is void.",
        );
      },
    }),
  ]);
}
