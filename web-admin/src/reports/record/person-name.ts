/** First and last name of a reported person. */
export function personName(person: { first_name?: unknown; last_name?: unknown }): string {
  return [person.first_name, person.last_name]
    .filter((part) => typeof part === "string" && part !== "")
    .join(" ");
}
