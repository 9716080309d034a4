/** Hours within which a notice is granted or refused, as promised to its sender. */
export const NOTICE_HOURS = 48;
/** US business days after a counter-notice between which the material is restored (17 U.S.C. 512(g)(2)(C)). */
export const COUNTER_NOTICE_DAYS = { from: 10, to: 14 } as const;
/** Length of the suspension after a second infringement, in days. */
export const SUSPENSION_DAYS = 30;
