import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

it("docs/specification.md names only files and folders that exist", () => {
  const named = [...read("docs/specification.md").matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(
    ([, file]) => file as string,
  );
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

/** The anchor of a heading, as GitHub generates it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\d _-]/gu, "")
    .replaceAll(" ", "-");

it("links in Markdown lead to files and headings that exist", () => {
  const files = globSync("{*.md,docs/**/*.md,{packages,services,web-*}/**/*.md}", {
    cwd: root,
    exclude: (name) => name === "node_modules" || name === "texts",
  });
  expect(files.length).toBeGreaterThan(20);
  const broken = files.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!\w+:)([^)#]*)(?:#([^)]*))?\)/g)]
      .filter(([, to, heading]) => {
        const target = path.join(root, path.dirname(file), to || path.basename(file));
        if (!existsSync(target)) return true;
        const headings = heading && readFileSync(target, "utf8").matchAll(/^#+ (.*)$/gm);
        return headings && ![...headings].some(([, text]) => anchorOf(text as string) === heading);
      })
      .map(([link]) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
});
