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
    /** `answer`: given at once to whoever proved that the address is theirs. */
    delivery: Type.Enum(["mail", "answer"]),
    /** Whether the account knew the browser that asked: then its owner did. */
    device: Type.Enum(["known", "unknown"]),
  }),
  {},
);

/**
 * The account has a new password, set by its owner; a ban stays. All links to set one are void; with
 * `reset_link`, so are a change of address that waits and links to confirm a device. `SessionsEnded`
 * follows in the same append.
 */
export const PasswordChanged = defineEvent(
  "PasswordChanged",
  1,
  strict({
    by: Type.Enum(["owner", "reset_link", "invitation"]),
    /** Of the link, where there was one. */
    link_id: Type.Optional(Id),
  }),
  {},
);
