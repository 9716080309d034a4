import type { User } from "#contracts/http/auth.ts";

/** Name of an account, else its email address. */
export function accountName(user: Pick<User, "first_name" | "last_name" | "email">): string {
  return `${user.first_name} ${user.last_name}`.trim() || user.email;
}

/** Initial of the first name, else of the email address, else A. */
export function accountInitial(user: Pick<User, "first_name" | "email">): string {
  return ([...(user.first_name.trim() || user.email || "A")][0] ?? "A").toUpperCase();
}
