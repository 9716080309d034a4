/** A list's filter as the server takes it: texts, without those that are not set. */
export function askedFilter(filter: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .map(([name, value]) => [name, String(value)]),
  );
}

/** Whether a list would be asked for the same. */
export function isSameFilter(one: object, other: object): boolean {
  const [a, b] = [one, other].map((filter) => Object.entries(askedFilter(filter)).sort());
  return JSON.stringify(a) === JSON.stringify(b);
}
