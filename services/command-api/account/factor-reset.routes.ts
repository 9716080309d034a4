import { ACCOUNT_DONE } from "#contracts/account/account-words.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import { ResetTwoFactor } from "#contracts/http/two-factor.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { withoutEmpty } from "#contracts/report/submission-rules.ts";
import { done } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { addCommandRoutes, commandRoute } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";

/** What an admin does for an owner who lost both device and codes. */
export function factorResetRoutes(
  app: ServiceInstance,
  { factorResets: resets, requests }: WriteSide,
): void {
  addCommandRoutes(app, [
    commandRoute({
      method: "POST",
      url: "/prod/api/admin/users/:id/two-factor/reset",
      roles: ["admin"],
      limit: "write",
      proof: true,
      tag: "accounts",
      summary:
        "Turn off an account's two-factor authentication; for an admin, with your own code. Emails all admins",
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
        const { code, reason } = request.body;
        const envelope = requests.envelope(request, id, { reason });
        requests.position(response, await resets.byAdmin(id, { reason, code }, envelope));
        return done(ACCOUNT_DONE.factorReset);
      },
    }),
  ]);
}
