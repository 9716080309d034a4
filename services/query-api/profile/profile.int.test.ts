import { afterAll, beforeAll, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { type Fixture, startQueryApi } from "../testing/query-api.fixture.ts";

let service: Fixture;
beforeAll(async () => {
  service = await startQueryApi();
});
afterAll(() => service.close());

const profile = (as: "visitor" | "user" | "admin" | "auditor") =>
  service.get("/prod/api/auth/profile", { as });

it.each(["user", "admin", "auditor"] as const)(
  "an account of a %s reads its own profile",
  async (role) => {
    const reply = await profile(role);
    const names = { user: "Uma", admin: "Dana", auditor: "Ari" };
    expect(reply.json()).toEqual({
      success: true,
      data: {
        user: {
          id: service.accounts[role],
          first_name: names[role],
          last_name: "Ruiz",
          email: `${role}@registry.example`,
          role,
          confirmed: true,
          created_at: "2026-01-02T03:04:05.678Z",
        },
      },
    });
    expect(reply.headers["cache-control"]).toBe("no-store");
  },
);

it("a visitor has none, and neither has a banned account or an old token", async () => {
  expect((await profile("visitor")).statusCode).toBe(401);
  const ban = (status: string, version: number) =>
    service.db.query(
      "update command.account set status = $1, token_version = $2 where role = 'user'",
      [status, version],
    );
  await ban("banned", 1);
  expect((await profile("user")).statusCode).toBe(401);
  await ban("active", 2);
  expect((await profile("user")).statusCode).toBe(401);
  await ban("active", 1);
  expect((await profile("user")).statusCode).toBe(200);
});

it("a changed role applies at the next request", async () => {
  const asAdmin = () => service.get("/prod/api/reports/all", { as: "admin" });
  expect((await asAdmin()).statusCode).toBe(200);
  await service.db.query("update command.account set role = 'user' where id = $1", [
    service.accounts.admin,
  ]);
  expect((await asAdmin()).statusCode).toBe(403);
  await service.db.query("update command.account set role = 'admin' where id = $1", [
    service.accounts.admin,
  ]);
});

it("an account without its key has neither name nor address", async () => {
  const key = subjects.account(service.accounts.auditor);
  await service.keys.destroy([key], new Date().toISOString());
  expect((await profile("auditor")).json().data.user).toMatchObject({
    first_name: "",
    last_name: "",
    email: "",
  });
});
