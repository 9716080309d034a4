import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { writeFileAtomically } from "#runtime/atomic-file.ts";
import type { AccountService } from "#services/command-api/account/account.service.ts";
import { addFirstAdmin } from "#services/command-api/account/first-admin.ts";
import type { CommandApi } from "#services/command-api/composition.ts";
import { systemCaller } from "#services/command-api/kernel/envelope.ts";

const DEFAULT_EMAIL = "admin@registry.local";

export interface FirstAdminSettings {
  /** Holds the generated password until the first sign-in. */
  readonly file: string;
  readonly email?: string | undefined;
  readonly password?: string | undefined;
}

/** Generates a password that is easy to copy: 24 characters with 120 random bits and one of each kind. */
export function makePassword(): string {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  const text = [...randomBytes(24)].map((byte) => letters[byte % 32]).join("");
  return `${text.slice(0, 8)}-${text.slice(8, 16)}-${text.slice(16)}A1`;
}

/** Creates the first admin if there is none. @returns lines on how to sign in; none after the first sign-in. */
export async function ensureFirstAdmin(
  accounts: AccountService,
  settings: FirstAdminSettings,
): Promise<string[]> {
  const { file, email = DEFAULT_EMAIL, password } = settings;
  if (await accounts.firstAdmin()) return readNotes(file);
  const chosen = password ?? makePassword();
  const shown = password ? "as set in ADMIN_PASSWORD" : chosen;
  // Write the file first: no one could sign in to an account whose password was lost.
  await writeNotes(file, email, shown);
  await addFirstAdmin(accounts, { email, password: chosen });
  return notes(email, shown);
}

/** Sets a new password for the admin, also in the file if there is one, and turns off the second factor. */
export async function resetAdmin(
  { accounts, factorResets }: Pick<CommandApi, "accounts" | "factorResets">,
  settings: Omit<FirstAdminSettings, "file"> & { readonly file: string | undefined },
): Promise<string[]> {
  const password = settings.password ?? makePassword();
  const caller = systemCaller(new Date().toISOString());
  const account = await accounts.resetPassword(settings.email, password, caller);
  if (!account) return [];
  await factorResets.byOperator(account.id, caller);
  const shown = settings.password ? "as set in ADMIN_PASSWORD" : password;
  if (settings.file) await writeNotes(settings.file, account.email, shown);
  return notes(account.email, shown);
}

/** Removes the stored password once the admin has signed in. */
export async function forgetFirstAdmin(file: string, email: string): Promise<void> {
  const [first] = await readNotes(file);
  if (first?.toLowerCase() === notes(email, "")[0]?.toLowerCase()) await rm(file, { force: true });
}

function notes(email: string, password: string): string[] {
  return [`Admin email: ${email}`, `Admin password: ${password}`];
}

async function writeNotes(file: string, email: string, password: string): Promise<void> {
  await writeFileAtomically(file, `${notes(email, password).join("\n")}\n`, 0o600);
}

async function readNotes(file: string): Promise<string[]> {
  try {
    return (await readFile(file, "utf8")).trimEnd().split("\n");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
