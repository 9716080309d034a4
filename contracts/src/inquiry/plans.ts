/** The plans that the enterprise page offers, by the code that its form sends. */
export const PLANS = {
  professional: "Professional",
  enterprise: "Enterprise",
  enterprise_plus: "Enterprise Plus",
} as const;
