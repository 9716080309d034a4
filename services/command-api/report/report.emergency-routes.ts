import { CommandReply, EmergencyQuery } from "#contracts/http/admin-reports.ts";
import {
  type EditReport,
  MODERATION,
  type ModerationName,
  moderationCommand,
} from "#contracts/http/moderation.ts";
import { withoutEmpty } from "#contracts/report/submission-rules.ts";
import { requireProof } from "#http/auth.ts";
import { REPORT_BOUNDS } from "#http/bounds.ts";
import type { ServiceInstance } from "#http/service.ts";
import { findBadText } from "#http/text-check.ts";
import { invalidRequest } from "#http/validation.ts";
import type { WriteSide } from "../write-side.ts";
import { editBodyProblems } from "./edit-body.ts";
import { reportReply } from "./report.admin-routes.ts";

/** Commands that can also be sent as a GET, with the parameter `emergency_<name>`. */
const COMMANDS = ["approve", "delete", "verify", "edit"] as const satisfies ModerationName[];

/** Commands as a GET. They need an admin's Authorization header, so no link sends and no cache stores them. */
export function reportEmergencyRoutes(app: ServiceInstance, { reports }: WriteSide): void {
  app.get(
    "/prod/api/reports/all",
    {
      config: { roles: ["admin"], limit: "write" },
      // A HEAD request must not act.
      exposeHeadRoute: false,
      schema: {
        tags: ["moderation"],
        summary: "Approve, delete, verify or edit a report with a GET request",
        querystring: EmergencyQuery,
        response: { 200: CommandReply },
      },
    },
    async (request, response) => {
      const { report_id: id, edit_data, ...flags } = request.query;
      const [name, another] = COMMANDS.filter((each) => flags[`emergency_${each}`]);
      if (!name || another) {
        throw invalidRequest({ emergency_approve: "Specify exactly one emergency action" });
      }
      // Every route that deletes a report requires it.
      if (name === "delete") requireProof(request.actor);
      const action = `emergency_${name}`;
      const edit = name === "edit" ? decodeEdit(edit_data) : {};
      // The target names the action too: all four share one route.
      const envelope = request.envelope(`${action}:${id}`, edit);
      const outcome = await reports.execute(id, moderationCommand(name, edit), envelope);
      response.header("cache-control", "no-store");
      const { done } = MODERATION[name];
      const message = name === "approve" ? `${done} via emergency action` : done;
      return { ...reportReply(id, outcome, message), action };
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
    throw refuse("edit_data must be base64-encoded JSON");
  }
  const bad = findBadText(edit, REPORT_BOUNDS.values);
  if (bad) throw invalidRequest(bad);
  const problems = editBodyProblems(edit);
  if (Object.keys(problems).length > 0) throw invalidRequest(problems);
  return edit as EditReport;
}
