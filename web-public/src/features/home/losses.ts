/** Figures of others about the losses of merchants, each with its source. */
export const LOSSES = [
  {
    figure: "$48B+",
    meaning: "forecast merchant losses to e-commerce fraud in 2023",
    source: "Juniper Research, October 2022",
  },
  {
    figure: "75%",
    meaning: "of chargebacks may be friendly fraud (up to)",
    source: "Visa, June 2022",
  },
  {
    figure: "337M",
    meaning: "chargebacks expected by 2026",
    source: "Mastercard, March 2024",
  },
] as const;
