import { describe, expect, it } from "vitest";
import type { ListedUser } from "#contracts/http/users.ts";
import { ApiError } from "../data/api-error.ts";
import {
  addressOf,
  banUntil,
  differences,
  failureSentence,
  statusText,
  userName,
} from "./labels.ts";

const ann: ListedUser = {
  id: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
  first_name: "Ann",
  last_name: "Lee",
  email: "a***@***",
  role: "user",
  status: "active",
  reports_count: 0,
  reopenable: false,
  waiting: false,
  created_at: "2026-01-02T03:04:05.678Z",
  revision: 0,
};

it("labels an account without a name", () => {
  expect(userName(ann)).toBe("Ann Lee");
  expect(userName({ first_name: "", last_name: "" })).toBe("No name");
});

it("lists what someone else changed, field by field", () => {
  expect(differences(ann, ann)).toEqual([]);
  expect(differences(ann, { ...ann, last_name: "", role: "admin", status: "banned" })).toEqual([
    "Last name: Lee, now not given",
    "Role: User, now Admin",
    "Status: Active, now Banned",
  ]);
});

it("shows when a ban ends", () => {
  expect(statusText({ ...ann, status: "banned" })).toBe("Banned");
  const banned_until = "2026-12-03T10:00:00.000Z";
  expect(statusText({ ...ann, status: "banned", banned_until })).toMatch(
    /^Banned until Dec \d+, 2026, /,
  );
});

it("describes a failed command in the specified wording, with the reason or the status", () => {
  const deletion = (error: unknown) => failureSentence("delete", error);
  expect(deletion(new ApiError(409, "The last admin stays"))).toBe(
    "Failed to delete user: The last admin stays",
  );
  expect(deletion(new ApiError(502, ""))).toBe("Failed to delete user: 502");
  expect(deletion(new ApiError(0, ""))).toBe("Failed to delete user: Unknown error occurred");
  expect(failureSentence("edit", new ApiError(429, "Too many"))).toBe(
    "Failed to update user: Too many",
  );
});

describe("the end of a ban", () => {
  const now = new Date("2026-11-23T10:00:00.000Z");
  it("is the given number of days from now, or never", () => {
    expect(banUntil("30", "", now)).toBe("2026-12-23T10:00:00.000Z");
    expect(banUntil("never", "", now)).toBeUndefined();
  });
  it("is the end of the chosen day", () => {
    expect(banUntil("date", "2026-12-31", now)).toBe(new Date(2027, 0, 1).toISOString());
  });
});

it.each([
  ["invite", undefined, "POST /users"],
  ["edit", "1", "PUT /users/1"],
  ["delete", "1", "DELETE /users/1"],
  ["ban", "1", "POST /users/1/ban"],
  ["unban", "1", "POST /users/1/unban"],
  ["reopen", "1", "POST /users/1/reopen"],
  ["role", "1", "PUT /users/1/role"],
  ["factor", "1", "POST /users/1/two-factor/reset"],
] as const)("%s is sent to its own path", (action, id, address) => {
  const { method, path } = addressOf(action, id);
  expect(`${method} ${path}`).toBe(address);
});
