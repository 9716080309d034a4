/** The lowest cost that Argon2 has: tests hash passwords for each account that they add. */
export const CHEAP_PASSWORDS = { memoryCost: 8, timeCost: 1 };
