import { beforeAll, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";

const PASSWORD = "Lamp-light-42";
const EMAIL = "rae@shop.example";

const fixture = forFile(() => startCommandApi());
let id = "";
let token = "";
beforeAll(async () => {
  const names = { first_name: "Rae", last_name: "Holt", phone: "+1 303 555 0142" };
  const payload = { ...names, email: EMAIL, password: PASSWORD, confirmPassword: PASSWORD };
  const url = "/prod/api/auth/register";
  const { data } = (await fixture.api.app.inject({ method: "POST", url, payload })).json();
  id = data.user.id;
  token = data.token;
});

const put = (payload: object) =>
  fixture.call("PUT", "/prod/api/auth/profile", { body: payload, token });
async function edits() {
  const { rows } = await fixture.db.query(
    "select type, data, metadata from event_log.event where stream = $1 and revision > 0 order by revision",
    [streams.user(id)],
  );
  return rows;
}

it("a profile is edited field by field, and signing in shows it", async () => {
  const markup = "<img src=x onerror=alert(1)>";
  const answer = await put({ company: " Lamps & Co ", bio: `${markup}\nSince 1999.`, phone: null });
  expect(answer.json()).toMatchObject({
    message: "Profile updated successfully!",
    data: { user: { first_name: "Rae", company: "Lamps & Co", bio: `${markup}\nSince 1999.` } },
  });
  expect(answer.json().data.user).not.toHaveProperty("phone");
  const [edited] = await edits();
  expect(edited).toMatchObject({
    type: "ProfileEdited",
    data: { fields: ["phone", "company", "bio"] },
    metadata: { command: "EditProfile", actor: { id, role: "user" } },
  });
  // Ciphertext may contain three such letters by chance, but neither quotes nor spaces.
  expect(JSON.stringify(edited)).not.toMatch(/"Rae"|Lamps |<img/);
  const { data } = (
    await fixture.call("POST", "/prod/api/auth/login", {
      body: { email: EMAIL, password: PASSWORD },
    })
  ).json();
  expect(data.user).toEqual(answer.json().data.user);
});

it("an edit of the address or role, or with an invalid website, is rejected", async () => {
  for (const payload of [
    { email: "x@shop.example" },
    { role: "admin" },
    { first_name: "a\u202eb" },
  ])
    expect((await put(payload)).statusCode).toBe(400);
  expect((await put({ website: "javascript:alert(1)" })).json().error.fields).toEqual({
    website: "Please enter a valid URL",
  });
  expect((await put({ last_name: null })).json().error.fields).toEqual({
    last_name: "Last name is a required field",
  });
});

it("sets which emails the account gets, and rejects unknown settings", async () => {
  const set = (payload: object) =>
    fixture.call("PUT", "/prod/api/auth/preferences", { body: payload, token });
  const before = (await edits()).length;
  const preferences = { decisions: false, same_person: false, weekly_summary: false };
  for (const _ of [1, 2])
    expect((await set({ decisions: false })).json()).toMatchObject({ data: { preferences } });
  expect((await edits()).slice(before)).toMatchObject([
    { type: "NotificationsSet", data: { by: "owner", decisions: false } },
  ]);
  for (const payload of [{}, { decisions: "no" }, { decisions: null }, { security: false }])
    expect((await set(payload)).statusCode).toBe(400);
});

it("a session that has ended cannot edit anything", async () => {
  const caller = { authorization: `Bearer ${token}` };
  const url = "/prod/api/auth/logout";
  await fixture.api.app.inject({ method: "POST", url, headers: caller, payload: { all: true } });
  expect((await put({ company: "Other" })).statusCode).toBe(401);
});
