import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { Id } from "./account-parts.ts";

/** Somebody asked for a link to set a new password. */
export const PasswordResetRequested = defineEvent(
  "PasswordResetRequested",
  1,
  strict({
    link: OneTimeLink,
    /** `answer`: given at once to somebody who proved that the address is theirs. */
    delivery: Type.Enum(["mail", "answer"]),
    /** Whether the account knew the browser of the request, which means that its owner sent it. */
    device: Type.Enum(["known", "unknown"]),
  }),
  {},
);

/**
 * The owner set a new password; a ban stays. All links for setting one are void. With `reset_link`,
 * a requested change of address and links that confirm a device are void as well. `SessionsEnded`
 * follows in the same append.
 */
export const PasswordChanged = defineEvent(
  "PasswordChanged",
  1,
  strict({
    by: Type.Enum(["owner", "reset_link", "invitation"]),
    /** The link that was used, if any. */
    link_id: Type.Optional(Id),
  }),
  {},
);
