import { randomUUID } from "node:crypto";
import { post } from "./calls.ts";

/** A session as the browser stores it, by storage key. */
export type StoredSession = Readonly<Record<"token" | "refreshToken" | "user", string>>;

export const ADMIN = { email: "boss@registry.example", password: "Correct-horse-9" };

/** Signs in, or registers an account when no login is given. */
export async function openSession(
  url: string,
  login?: { readonly email: string; readonly password: string },
): Promise<StoredSession> {
  const { token, refreshToken, user } = login
    ? await post(url, "/auth/login", login)
    : await post(url, "/auth/register", {
        first_name: "Rae",
        last_name: "Holt",
        email: `rae-${randomUUID()}@shop.example`,
        company_name: "Alpine Watches",
        password: ADMIN.password,
        confirmPassword: ADMIN.password,
      });
  return { token: String(token), refreshToken: String(refreshToken), user: JSON.stringify(user) };
}
