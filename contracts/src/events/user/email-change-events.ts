import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { AccountBlind, Address, Id } from "./account-parts.ts";

/**
 * The owner wants another address: a link is mailed to it, and the present one is warned. A change
 * that was asked for before is void.
 */
export const EmailChangeRequested = defineEvent(
  "EmailChangeRequested",
  1,
  strict({ link: OneTimeLink }),
  { account: strict({ email: Address }) },
  { required: ["account"] },
);

/** The owner does not want the other address any more. */
export const EmailChangeWithdrawn = defineEvent("EmailChangeWithdrawn", 1, strict({}), {});

/**
 * The new address was confirmed, and is the account's. Void are links that were mailed to the former
 * address, but those that undo a change. `SessionsEnded` follows in the same append.
 */
export const EmailChanged = defineEvent(
  "EmailChanged",
  1,
  strict({
    link_id: Id,
    /** Mailed to the former address. */
    undo_link: OneTimeLink,
  }),
  { account: strict({ email: Address, blind: AccountBlind, former_email: Address }) },
  { required: ["account"] },
);

/**
 * The owner of the former address took the account back. It has the address of before that change;
 * links of any kind, later changes among them, are void, and so is the password. `SessionsEnded`
 * follows in the same append.
 */
export const EmailChangeUndone = defineEvent(
  "EmailChangeUndone",
  1,
  strict({
    /** Of the undo link. */
    link_id: Id,
    /** `dropped`: it was set up or replaced after the change. */
    two_factor: Type.Enum(["kept", "dropped"]),
  }),
  { account: strict({ email: Address, blind: AccountBlind }) },
  { required: ["account"] },
);
