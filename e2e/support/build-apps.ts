import { buildApps } from "#launcher/build-apps.ts";

/** Vitest global setup: builds the site, console and services if they changed, before the first registry starts. */
export default async function setup(): Promise<void> {
  await buildApps((line) => console.log(`  ${line}`));
}
