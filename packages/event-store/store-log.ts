/** Where an adapter tells of its connections; a pino logger fits. No data of events goes there. */
export interface StoreLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export const silent: StoreLog = { info: () => undefined, warn: () => undefined };
