import { beforeAll, describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { submit } from "../testing/reports.fixture.ts";
import { PASSWORD, sessionCalls, sidOf } from "../testing/sessions.fixture.ts";
import { GUESSES } from "./password-proof.ts";

const fixture = forFile(() => startCommandApi({ limits: "on", trustProxyHops: 1 }));
let report: string;
beforeAll(async () => {
  report = await submit(fixture);
});
const { login, refreshOver, signOut, eventsOf, typesOf } = sessionCalls(() => fixture);

let calls = 0;
/** Sends each call from its own network, so that no limit per address applies. */
const send = (token: string, url: string, payload: object) => {
  calls += 1;
  return fixture.api.app.inject({
    method: "POST",
    url,
    headers: {
      authorization: `Bearer ${token}`,
      "x-forwarded-for": `10.0.${calls >> 8}.${calls & 255}`,
    },
    payload,
  });
};
const reveal = async (token: string) => {
  const answer = await send(token, `/prod/api/admin/reports/${report}/reveal`, {});
  return answer.json().error?.code ?? answer.statusCode;
};
const prove = (token: string, password = PASSWORD) =>
  send(token, "/prod/api/auth/prove", { password });
const age = (seconds: number) =>
  fixture.db.query("update command.session set proved_at = proved_at - $1 * interval '1 second'", [
    seconds,
  ]);
const proofsFailed = async () =>
  (await fixture.db.query("select data from event_log.event where type = 'ProofFailed'")).rows;

describe("proving the password again", () => {
  it("is required fifteen minutes after a sign-in, and lasts for fifteen minutes in this session", async () => {
    const [mine, other] = [await login(), await login()];
    expect(await reveal(mine.token)).toBe(200);
    await age(14 * 60);
    expect(await reveal(mine.token)).toBe(200);
    await age(60);
    expect(await reveal(mine.token)).toBe("proof_required");
    const renewed = (await refreshOver(mine.refreshToken)).json().data;
    expect(await reveal(renewed.token)).toBe("proof_required");
    expect((await prove(renewed.token)).statusCode).toBe(200);
    expect(await reveal(renewed.token)).toBe(200);
    expect(await reveal(other.token)).toBe("proof_required");
    expect((await eventsOf(sidOf(mine.token))).at(-1)).toMatchObject({
      type: "PasswordProved",
      metadata: { command: "ProvePassword", actor: { id: mine.user.id } },
    });
  });

  it("does not succeed with a wrong password, which is logged without the account", async () => {
    const { token } = await login();
    await age(15 * 60);
    const answer = await prove(token, `${PASSWORD}x`);
    expect(refusal(answer)).toEqual([403, "wrong_password"]);
    expect(await reveal(token)).toBe("proof_required");
    expect(await typesOf(sidOf(token))).toEqual(["SessionStarted"]);
    expect((await proofsFailed()).at(-1)?.data).toMatchObject({
      cause: "wrong_password",
      security: { key: expect.stringMatching(/^security-/) },
    });
  });

  it("is refused after a hundred wrong ones in an hour, not counting right ones; sign-in still works", async () => {
    const { token } = await login();
    await fixture.db.query("delete from command.password_guess");
    await prove(token, "wrong");
    await prove(token);
    const { rows } = await fixture.db.query("select guesses from command.password_guess");
    expect(rows).toEqual([{ guesses: 1 }]);
    await fixture.db.query("update command.password_guess set guesses = $1", [GUESSES]);
    const failed = (await proofsFailed()).length;
    const answer = await prove(token);
    expect(refusal(answer)).toEqual([429, "too_many_requests"]);
    expect(await proofsFailed()).toHaveLength(failed);
    expect((await login()).token).toBeDefined();
  });

  it("fails in a session that has ended", async () => {
    const { token } = await login();
    await signOut(token);
    expect((await prove(token)).statusCode).toBe(401);
    expect(await typesOf(sidOf(token))).not.toContain("PasswordProved");
  });
});
