import type { Instance } from "./instance.ts";
import { migrate } from "./migrate/migrate.ts";
import { handleBy, type OnePort } from "./one-port/one-port.ts";
import { LaunchStopped, type Say, throwIfStopped, timed } from "./progress.ts";
import { composeServices } from "./services.ts";

/** Creates the tables, roles and rights for which the launcher is responsible. */
export async function prepareStores(
  instance: Instance,
  say: Say,
  signal?: AbortSignal,
): Promise<void> {
  const { stores, masterKeys, servicePasswords: passwords } = instance;
  // When the keys get their own database, the data folder's keys move there.
  if (passwords || stores.KEYS_URL !== stores.DATABASE_URL)
    await timed("tables", say, () =>
      unlessStopped(instance, signal, migrate({ stores, masterKeys, passwords })),
    );
}

export type ServeOptions = {
  signal?: AbortSignal | undefined;
  /** Whether pages reload after the services restart. */
  liveReload?: boolean;
  /** Restarts the system. */
  restart?: (() => void) | undefined;
  /** Resolves once site and console are built. */
  built?: Promise<unknown> | undefined;
};

/** Runs all of an instance's services behind one port. @param started collects what must be stopped again. */
export async function serve(
  instance: Instance,
  onePort: OnePort,
  say: Say,
  started: AsyncDisposableStack,
  options: ServeOptions = {},
): Promise<{ notes: string[] }> {
  const { signal, liveReload = false, restart, built } = options;
  const services = await timed("services", say, () =>
    unlessStopped(instance, signal, composeServices(instance, { liveReload, restart, built })),
  );
  started.defer(() => services.stop());
  throwIfStopped(signal);
  await onePort.answerWith(handleBy(services.backends, { liveReload }));
  await timed("projections", say, () => services.start(say, signal));
  throwIfStopped(signal);
  return { notes: services.notes() };
}

/** Abandons work that may hang on an external store once the system is stopping, as the process then ends. */
async function unlessStopped<T>(
  { storesAreEmbedded }: Instance,
  signal: AbortSignal | undefined,
  work: Promise<T>,
): Promise<T> {
  if (storesAreEmbedded || !signal) return work;
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(new LaunchStopped());
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
