import { buildWebApps } from "#launcher/web-build.ts";

/** Vitest global set-up: the web apps are built before the first registry starts, if they changed. */
export default async function setup(): Promise<void> {
  await buildWebApps((line) => console.log(`  ${line}`));
}
