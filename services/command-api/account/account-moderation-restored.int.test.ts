import { expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { type CommandEnvelope, newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";
import { erasureFollower } from "../testing/erasure-follower.fixture.ts";

const fixture = forFile(() => startCommandApi());

const newAccount = async (role: "user" | "auditor" | "admin" = "user") =>
  (await fixture.addAccount({ role })).id;
/** A request by a different admin. */
async function sent(): Promise<CommandEnvelope> {
  const caller = systemCaller(new Date().toISOString());
  return newEnvelope({ ...caller, actor: { id: await newAccount("admin"), role: "admin" } });
}
const STANDING = "role, status, banned_until";
async function rowOf(id: string) {
  const text = `select ${STANDING}, token_version from command.account where id = $1`;
  return (await fixture.db.query(text, [id])).rows[0];
}
/** Decides, and then reverts the row, as restoring an older copy of the database would. */
async function restoredAfter(id: string, decide: (envelope: CommandEnvelope) => Promise<unknown>) {
  const before = await rowOf(id);
  await decide(await sent());
  const decided = await rowOf(id);
  await fixture.db.query(
    `update command.account set (${STANDING}, token_version) = ($2, $3, $4, $5) where id = $1`,
    [id, ...Object.values(before)],
  );
  return { role: decided.role, status: decided.status, banned_until: decided.banned_until };
}
const follower = () => erasureFollower(fixture);

it("an older copy of the database brings back no role or access that staff had removed", async () => {
  const { accountModeration } = fixture.api;
  const [admin, banned, freed, deleted, opened, same] = [
    await newAccount("admin"),
    await newAccount(),
    await newAccount(),
    await newAccount("auditor"),
    await newAccount("auditor"),
    await newAccount(),
  ];
  await accountModeration.ban(freed, { reason: "Spam" }, await sent());
  await accountModeration.remove(opened, await sent());
  await accountModeration.ban(same, { reason: "Spam" }, await sent());
  await accountModeration.edit(same, { first_name: "Ida" }, await sent());
  const until = "2031-05-02T10:30:00.000Z";
  const expected = {
    [admin]: await restoredAfter(admin, (by) => accountModeration.changeRole(admin, "user", by)),
    [banned]: await restoredAfter(banned, (by) =>
      accountModeration.ban(banned, { reason: "x", until }, by),
    ),
    [freed]: await restoredAfter(freed, (by) => accountModeration.unban(freed, by)),
    [deleted]: await restoredAfter(deleted, (by) => accountModeration.remove(deleted, by)),
    [opened]: await restoredAfter(opened, (by) => accountModeration.reopen(opened, by)),
  };
  const untouched = await rowOf(same);
  const { token_version: before } = await rowOf(admin);
  const now = new Date().toISOString();
  // Each process that starts follows the log from its beginning.
  for (let starts = 0; starts < 2; starts += 1) await follower().run(now);
  for (const [id, row] of Object.entries(expected)) expect(await rowOf(id)).toMatchObject(row);
  expect((await rowOf(admin)).role).toBe("user");
  // Earlier tokens are voided only once.
  expect((await rowOf(admin)).token_version).toBe(before + 1);
  expect(await rowOf(same)).toEqual(untouched);
  // A decision made after the log was read stays.
  await fixture.api.accountStore.align(admin, { role: "admin", revision: 1 });
  expect((await rowOf(admin)).role).toBe("user");
});
