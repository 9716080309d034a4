/** Argon2's lowest cost, because tests hash a password for each account they add. */
export const CHEAP_PASSWORDS = { memoryCost: 8, timeCost: 1 };
