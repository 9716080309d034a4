/** Hours within which a notice is granted or refused, as its sender is told. */
export const NOTICE_HOURS = 48;
/** US business days after a counter-notice between which the material is back (17 U.S.C. 512(g)(2)(C)). */
export const COUNTER_NOTICE_DAYS = { from: 10, to: 14 } as const;
/** How long nothing is accepted from someone after their second infringement. */
export const SUSPENSION_DAYS = 30;
