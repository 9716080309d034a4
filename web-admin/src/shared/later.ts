import { type ComponentType, lazy } from "react";

type Props<Page> = Page extends (props: infer Given) => unknown ? Given & object : never;

/** Lazy-loads a page or a dialog by the name of its export. */
export function lazyExport<Name extends string, Module extends Record<Name, unknown>>(
  name: Name,
  load: () => Promise<Module>,
) {
  return lazy(async () => ({
    default: (await load())[name] as ComponentType<Props<Module[Name]>>,
  }));
}
