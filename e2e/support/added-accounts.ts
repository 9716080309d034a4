import { dataPaths } from "#launcher/data-folder.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { post } from "./calls.ts";
import { ADMIN, openSession } from "./sessions.ts";
import { tokenMailedTo } from "./traces.ts";

/** A confirmed account of any role. */
export interface NewAccount {
  readonly role: "user" | "auditor" | "admin";
  readonly email: string;
  readonly password: string;
  readonly name?: readonly [first: string, last: string];
}

/** Invites an account as the first admin and sets its password with the emailed link. */
export async function addAccount(
  url: string,
  dataDir: string,
  { role, email, password, name: [first_name, last_name] = ["Added", "Account"] }: NewAccount,
): Promise<void> {
  const { token: admin } = await openSession(url, ADMIN);
  await post(url, "/admin/users", { email, first_name, last_name, role }, admin);
  let token: string | undefined;
  await eventually(`an invitation to ${email}`, async () => {
    token = await tokenMailedTo(dataPaths(dataDir).mail, email, "reset-password");
    return token !== undefined;
  });
  await post(url, "/auth/reset-password", { token, password, confirmPassword: password });
}
