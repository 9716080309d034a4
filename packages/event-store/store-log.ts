/**
 * Where an adapter logs about its connections; a pino logger fits. Data of events is never logged.
 */
export interface StoreLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export const silent: StoreLog = { info: () => undefined, warn: () => undefined };
