import { type ComponentType, lazy } from "react";

/** A page whose code comes when it is opened. */
export function later<Name extends string>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
) {
  return lazy(async () => ({ default: (await load())[name] }));
}
