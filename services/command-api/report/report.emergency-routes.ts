import { CommandReply, type EditReport, EmergencyQuery } from "#contracts/http/admin-reports.ts";
import { withoutEmpty } from "#contracts/report/submission-rules.ts";
import { REPORT_BOUNDS } from "#http/bounds.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { findBadText } from "#http/text-check.ts";
import { invalidRequest } from "#http/validation.ts";
import type { Requests } from "../kernel/requests.ts";
import { editBodyProblems } from "./edit-body.ts";
import { MODERATION, type Moderation, reportState } from "./report.admin-routes.ts";
import type { ReportService } from "./report.service.ts";

const ACTIONS = {
  emergency_approve: { ...MODERATION.approve, done: "Report approved via emergency action" },
  emergency_delete: MODERATION.delete,
  emergency_verify: MODERATION.verify,
  emergency_edit: MODERATION.edit,
};
const NAMES = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[];

/**
 * The back office's commands in the form of a GET. A link on another site cannot send them, because
 * they require an admin's Authorization header. No cache stores them.
 */
export function reportEmergencyRoutes(
  app: ServiceInstance,
  { reports, requests }: { reports: ReportService; requests: Requests },
): void {
  app.get(
    "/prod/api/reports/all",
    {
      config: { roles: ["admin"], limit: "write" },
      // A HEAD request asks about a resource and must not act.
      exposeHeadRoute: false,
      schema: {
        tags: ["moderation"],
        summary: "Approve, delete, verify or edit a report at once",
        querystring: EmergencyQuery,
        response: { 200: CommandReply },
      },
    },
    async (request, response) => {
      const { report_id: id, edit_data, ...flags } = request.query;
      const named = NAMES.filter((name) => flags[name]);
      const action = named[0];
      if (named.length !== 1 || !action) {
        throw invalidRequest({ emergency_approve: "Name exactly one emergency action" });
      }
      const edit = action === "emergency_edit" ? decodeEdit(edit_data) : {};
      const { command, done }: Moderation = ACTIONS[action];
      // All four actions share one route, so the target includes the action.
      const envelope = requests.envelope(request, `${action}:${id}`, edit);
      const outcome = await reports.execute(id, command(edit), envelope);
      requests.position(response, outcome.position);
      response.header("cache-control", "no-store");
      return succeed(reportState(id, outcome), { action, message: done });
    },
  );
}

function decodeEdit(data: string | undefined): EditReport {
  const refuse = (message: string) => invalidRequest({ edit_data: message });
  if (!data) throw refuse("edit_data is required for emergency_edit");
  let edit: unknown;
  try {
    const bytes = Buffer.from(data.replaceAll(" ", "+"), "base64");
    edit = withoutEmpty(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    throw refuse("edit_data must be base64 of the JSON of the edits");
  }
  const bad = findBadText(edit, REPORT_BOUNDS.values);
  if (bad) throw invalidRequest(bad);
  const problems = editBodyProblems(edit);
  if (Object.keys(problems).length > 0) throw invalidRequest(problems);
  return edit as EditReport;
}
