import { ACCOUNT_DONE } from "#contracts/account/account-words.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import { AnswerFactorReset, ResetTwoFactor } from "#contracts/http/two-factor.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { withoutEmpty } from "#contracts/report/submission-rules.ts";
import { done } from "#http/envelope.ts";
import { type CommandRoute, commandRoute } from "../kernel/command-route.ts";
import type { Requests } from "../kernel/requests.ts";
import type { FactorResetService } from "./factor-reset.service.ts";

const RESET = "/prod/api/admin/users/:id/two-factor/reset";

/** What an admin does for an owner who lost both device and codes. */
export function factorResetRoutes(deps: {
  readonly resets: Pick<FactorResetService, "byAdmin" | "ofAdmins">;
  readonly requests: Requests;
}): readonly CommandRoute[] {
  const { resets, requests } = deps;
  return [
    commandRoute({
      method: "POST",
      url: RESET,
      roles: ["admin"],
      limit: "write",
      proof: true,
      tag: "accounts",
      summary:
        "Switch an account's two-factor sign-in off, or ask for it where it is an admin's; all admins are mailed",
      params: strict({ id: ReportId }),
      body: ResetTwoFactor,
      reply: DoneReply,
      tidy: [
        async (request) => {
          request.body = withoutEmpty(request.body);
        },
      ],
      async run(request, response) {
        const { id } = request.params;
        const { body } = request;
        const envelope = requests.envelope(request, id, body);
        const { done: what, position } = await resets.byAdmin(id, body.reason, envelope);
        requests.position(response, position);
        return done(what === "reset" ? ACCOUNT_DONE.factorReset : ACCOUNT_DONE.factorResetAsked);
      },
    }),
    commandRoute({
      method: "POST",
      url: `${RESET}/confirm`,
      roles: ["admin"],
      limit: "write",
      proof: true,
      tag: "accounts",
      summary: "Confirm, as a second admin, that an admin's two-factor sign-in is switched off",
      params: strict({ id: ReportId }),
      body: AnswerFactorReset,
      reply: DoneReply,
      async run(request, response) {
        const { id } = request.params;
        const { body } = request;
        const envelope = requests.envelope(request, id, body);
        const position = await resets.ofAdmins.confirm(id, body.request_id, envelope);
        requests.position(response, position);
        return done(ACCOUNT_DONE.factorReset);
      },
    }),
    commandRoute({
      method: "POST",
      url: `${RESET}/object`,
      roles: ["admin"],
      limit: "write",
      tag: "accounts",
      summary: "Object to switching an admin's two-factor sign-in off: the request is over",
      params: strict({ id: ReportId }),
      body: AnswerFactorReset,
      reply: DoneReply,
      async run(request, response) {
        const { id } = request.params;
        const { body } = request;
        const envelope = requests.envelope(request, id, body);
        const position = await resets.ofAdmins.object(id, body.request_id, envelope);
        requests.position(response, position);
        return done(ACCOUNT_DONE.factorResetStopped);
      },
    }),
  ];
}
