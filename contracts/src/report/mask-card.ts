/** First six, stars, last four: `411111******1234`; stars where a part is unknown. */
export function maskCard(
  first6: string | undefined,
  last4: string | undefined,
): string | undefined {
  if (!first6 && !last4) return undefined;
  return `${first6 ?? "******"}******${last4 ?? "****"}`;
}
