/** How long an account that its owner deleted is kept: signing in takes it back. */
export const ACCOUNT_KEPT_DAYS = 7;
