/**
 * Writes `web-admin/icons`: those of the 11,000 icons in `@mui/icons-material` that react-admin and the apps
 * import.
 * It replaces the package, which is 174 MB (docs/adr/0001-one-package.md). Run it after importing a new icon,
 * and after updating react-admin or Material UI.
 */
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const folder = path.join(root, "web-admin/icons");
const version = JSON.parse(
  readFileSync(path.join(root, "node_modules/@mui/material/package.json"), "utf8"),
).version;

const importers = globSync(
  [
    "node_modules/{react-admin,ra-ui-materialui}/dist/**/*.js",
    "web-{admin,public}/src/**/*.{ts,tsx}",
  ],
  { cwd: root },
);
const names = new Set(
  importers.flatMap((file) =>
    Array.from(
      readFileSync(path.join(root, file), "utf8").matchAll(
        / from ["']@mui\/icons-material\/(\w+)["']/g,
      ),
      ([, name]) => name,
    ),
  ),
);

const unpacked = mkdtempSync(path.join(tmpdir(), "icons-"));
try {
  execFileSync("npm", ["pack", "--silent", `@mui/icons-material@${version}`], { cwd: unpacked });
  execFileSync("tar", ["-xzf", `mui-icons-material-${version}.tgz`], { cwd: unpacked });
  for (const old of globSync("*.js", { cwd: folder })) rmSync(path.join(folder, old));
  for (const name of names) {
    const icon = readFileSync(path.join(unpacked, `package/${name}.mjs`), "utf8");
    const paths = icon.slice(icon.indexOf("export default"));
    writeFileSync(
      path.join(folder, `${name}.js`),
      `// Written by \`node tools/icons.ts\`.
import { createSvgIcon } from "@mui/material/SvgIcon";
import { jsx as _jsx${paths.includes("_jsxs(") ? ", jsxs as _jsxs" : ""} } from "react/jsx-runtime";

${paths}`,
    );
  }
  execFileSync("biome", ["check", "--write", folder], { cwd: root });
} finally {
  rmSync(unpacked, { recursive: true });
}
