/** Converts a list's filter to the server's format: strings only, without unset values. */
export function askedFilter(filter: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .map(([name, value]) => [name, String(value)]),
  );
}
