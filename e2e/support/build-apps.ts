import { buildApps } from "#launcher/build-apps.ts";

/** Vitest global set-up: builds site, console and services, if they changed, before the first registry starts. */
export default async function setup(): Promise<void> {
  await buildApps((line) => console.log(`  ${line}`));
}
