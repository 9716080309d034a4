/** Lifetime of a link that confirms an account's address or a device. */
export const ACCOUNT_LINK_HOURS = 24;
/** Lifetime of a link to set a password. */
export const RESET_LINK_MINUTES = 60;
/** Lifetime of an invitation link. */
export const INVITATION_DAYS = 7;
/** How long the previous address can undo an address change. */
export const EMAIL_UNDO_DAYS = 7;
/** How long an account is kept after its owner deletes it. Signing in cancels the deletion. */
export const ACCOUNT_KEPT_DAYS = 7;
/** Idle timeout of a session. */
export const SESSION_IDLE_DAYS = 14;
/** How long an entered password counts for actions that require a recent one. */
export const PROOF_MINUTES = 15;
/** How long an account with a new staff role can decide nothing that its granter may not. */
export const NEW_ROLE_HOURS = 24;
/** Maximum duration of a data export, from its first page to its last file. */
export const EXPORT_MINUTES = 60;
