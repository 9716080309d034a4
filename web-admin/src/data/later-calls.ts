type AnyCalls<Calls> = {
  readonly [Name in keyof Calls]: (...values: never[]) => Promise<unknown>;
};

/**
 * Calls whose code comes with the first of them, so that it is no part of the console's first view.
 * @param names all of them; the compiler misses one that is not there.
 */
export function laterCalls<Calls extends AnyCalls<Calls>>(
  names: Readonly<Record<keyof Calls, true>>,
  load: () => Promise<Calls>,
): Calls {
  const calls = Object.keys(names).map((name) => {
    const call = async (...values: never[]) => (await load())[name as keyof Calls](...values);
    return [name, call];
  });
  return Object.fromEntries(calls) as Calls;
}
