import type { Static } from "typebox";
import {
  ADMIN_USERS,
  RevealUserReply,
  USER_COMMANDS,
  type UserCommandBody,
  type UserCommandName,
  UserCommandReply,
} from "#contracts/http/users.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { requireProof } from "#http/auth.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf, dropEmpty } from "../kernel/command-route.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import type { WriteSide } from "../write-side.ts";
import type { AccountModerationService, ModeratedAccount } from "./account-moderation.service.ts";

const Id = strict({ id: ReportId });
const ADMIN = ["admin"] as const;

type Run<N extends UserCommandName> = (
  accountModeration: AccountModerationService,
  id: string,
  body: UserCommandBody<N>,
  envelope: CommandEnvelope,
) => Promise<ModeratedAccount>;

const RUNS: { readonly [N in UserCommandName]: Run<N> } = {
  invite: (accountModeration, _, body, envelope) => accountModeration.invite(body, envelope),
  edit: (accountModeration, id, { revision, ...edit }, envelope) =>
    accountModeration.edit(id, edit, envelope, revision),
  delete: (accountModeration, id, { revision }, envelope) =>
    accountModeration.remove(id, envelope, revision),
  reopen: (accountModeration, id, { revision }, envelope) =>
    accountModeration.reopen(id, envelope, revision),
  ban: (accountModeration, id, { revision, until, ...ban }, envelope) => {
    const end = until && new Date(until).toISOString();
    return accountModeration.ban(id, { ...ban, until: end }, envelope, revision);
  },
  unban: (accountModeration, id, { revision }, envelope) =>
    accountModeration.unban(id, envelope, revision),
  role: (accountModeration, id, { role, revision }, envelope) =>
    accountModeration.changeRole(id, role, envelope, revision),
};

/** Registers the routes with which admins manage accounts. */
export function accountModerationRoutes(
  app: ServiceInstance,
  { accountModeration }: WriteSide,
): void {
  const command = commandsOf(app, "accounts");
  for (const name of Object.keys(USER_COMMANDS) as UserCommandName[]) {
    const { method, path, summary, body, done, proof } = USER_COMMANDS[name];
    command(method, ADMIN_USERS + path, {
      roles: ADMIN,
      limit: "write",
      ...(proof === "always" ? { proof: true } : {}),
      summary,
      ...(path === "" ? {} : { params: Id }),
      body,
      reply: UserCommandReply,
      tidy: [dropEmpty],
      async run(request) {
        const sent = request.body as { readonly role?: unknown };
        if (proof === "role" && sent.role !== undefined) requireProof(request.actor);
        const { id = "" } = request.params as Partial<Static<typeof Id>>;
        const envelope = request.envelope(id, sent);
        const run = RUNS[name] as Run<UserCommandName>;
        const { position, ...account } = await run(accountModeration, id, sent as never, envelope);
        return succeed(account, { message: done, position });
      },
    });
  }
  command("POST", `${ADMIN_USERS}/:id/reveal`, {
    roles: ADMIN,
    limit: "reveal",
    proof: true,
    summary: "Open an account's encrypted data; logged first",
    params: Id,
    body: strict({}),
    reply: RevealUserReply,
    async run(request) {
      const { id } = request.params;
      const envelope = request.envelope(id, request.body);
      const { profile, position } = await accountModeration.reveal(id, envelope);
      return succeed(profile, { position });
    },
  });
}
