/** `npm run pictures [-- name ...]`: takes a picture of every screen in every state, on a registry it starts. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { findChromium, NO_BROWSER } from "../../e2e/support/browser.ts";
import { SCREENS } from "./screens.ts";
import { COLORS, startStage } from "./stage.ts";

const WIDTHS = [1280, 360] as const;
const folder = path.resolve(import.meta.dirname, "../../pictures");

const executable = findChromium();
if (!executable) throw new Error(NO_BROWSER);
const named = process.argv.slice(2);
const screens = SCREENS.filter(({ name }) => named.length === 0 || named.includes(name));
await mkdir(folder, { recursive: true });
const stage = await startStage(executable);
try {
  for (const screen of screens) {
    for (const width of WIDTHS)
      for (const colors of COLORS) {
        const file = `${screen.name}-${width}-${colors}.png`;
        try {
          await stage.show(screen, { width, colors }, async (page) => {
            // Otherwise sticky elements would appear in the middle of the picture.
            await page.evaluate(() => scrollTo(0, 0));
            await page.screenshot({ path: path.join(folder, file), fullPage: true });
          });
        } catch (error) {
          process.exitCode = 1;
          console.error(`${file}: ${String(error).split("\n")[0]}`);
        }
      }
    console.log(screen.name);
  }
} finally {
  await stage.close();
}
console.log(`The pictures are in ${folder}.`);
