/**
 * Events with which an account is over and its key is destroyed. After `AccountErased` the keys of the
 * reporters of its reports go too; the others leave them, since nobody knows whose account it was.
 */
export const ACCOUNT_ENDS: readonly string[] = [
  "AccountReplaced",
  "AccountExpired",
  "AccountErased",
];
