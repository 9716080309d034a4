import type { Instance } from "./instance.ts";
import { migrate } from "./migrate/migrate.ts";
import { handleBy, type OnePort } from "./one-port/one-port.ts";
import { LaunchStopped, type Say, throwIfStopped, timed } from "./progress.ts";
import { composeServices } from "./services.ts";

/** Creates the tables, roles and rights that are the launcher's to create. */
export async function prepareStores(
  instance: Instance,
  say: Say,
  signal?: AbortSignal,
): Promise<void> {
  const { stores, masterKeys, servicePasswords: passwords } = instance;
  // When the keys get their own database, those that the data folder held move there.
  if (passwords || stores.KEYS_URL !== stores.DATABASE_URL)
    await timed("tables", say, () =>
      unlessStopped(instance, signal, migrate({ stores, masterKeys, passwords })),
    );
}

export type ServeOptions = {
  signal?: AbortSignal | undefined;
  /** Whether pages reload when the services have restarted. */
  liveReload?: boolean;
  /** Ends the system and starts it again. */
  restart?: (() => void) | undefined;
  /** Resolves when site and console are built. */
  built?: Promise<unknown> | undefined;
};

/** Runs all services of an instance behind one port. @param started collects what must be stopped again. */
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

/** Leaves work behind that may hang on a store elsewhere once the system is told to stop: the process ends then. */
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
