/** Readers of variables that often come together. */
export const SERVICES = ["command-api", "query-api", "projector", "mailer", "backup"] as const;
export const PROCESSES = [...SERVICES, "web"] as const;
export const APIS = ["command-api", "query-api"] as const;
