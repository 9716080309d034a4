import { buildWebApps } from "#launcher/web-build.ts";

/** Vitest global set-up: builds the web apps, if they changed, before the first registry starts. */
export default async function setup(): Promise<void> {
  await buildWebApps((line) => console.log(`  ${line}`));
}
