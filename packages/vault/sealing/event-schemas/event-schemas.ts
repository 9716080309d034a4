import type { EventDefinition } from "#contracts/events/definition.ts";
import { eventDefinitions, upcasters } from "#contracts/events/index.ts";

/** JSON schemas by `<type> <version>`, for every version that may be in a log. */
export type EventSchemas = Readonly<Record<string, unknown>>;

/** The file that keeps each version's schema as it was when events were first stored under it. */
export const SCHEMAS_FILE = new URL("./event-schemas.json", import.meta.url);

/** The schemas that the code defines. Lists whose order has no meaning are sorted. */
export function eventSchemas(): EventSchemas {
  const definitions: readonly EventDefinition[] = [
    ...eventDefinitions,
    ...upcasters.map(({ from }) => from),
  ];
  const named = definitions.map((definition) => {
    const { type, version, clear, parts, required = [], oneOf = [] } = definition;
    return [`${type} ${version}`, ordered({ clear, parts, required, oneOf })] as const;
  });
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const SETS = new Set(["enum", "required", "oneOf"]);

function ordered(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => {
      if (Array.isArray(inner)) return SETS.has(key) ? inner.toSorted() : inner;
      if (typeof inner !== "object" || inner === null) return inner;
      return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    }),
  );
}
