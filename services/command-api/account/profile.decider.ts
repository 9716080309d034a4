import { PROFILE_FIELDS, type ProfileField } from "#contracts/account/profile-fields.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { EditProfile } from "#contracts/http/account.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";

/** Changes the profile fields that differ. No-op if none does. */
export function editProfile({ profile }: AccountState, edit: EditProfile): UserEvent[] {
  const fields: ProfileField[] = [];
  const after: Record<string, string | null | undefined> = {};
  for (const field of Object.keys(PROFILE_FIELDS) as ProfileField[]) {
    // A name is empty after a confirmation that dropped it.
    const before = profile?.[field] || null;
    const value = edit[field] === undefined ? before : edit[field];
    if (value !== before) fields.push(field);
    after[field] = value;
  }
  if (fields.length === 0) return [];
  return [{ type: "ProfileEdited", data: { fields, account: omitUndefined(after) } }];
}
