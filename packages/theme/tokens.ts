/**
 * The registry's design tokens, from which the site's `tokens.css` and the console's theme are generated. Lengths
 * are CSS pixels.
 */

/** Colors by purpose. Text has a contrast of at least 4.5:1 on `paper`, `ground` and its own tint. */
export const color = {
  /** Text. */
  ink: "#16212e",
  /** Less important text: labels, dates, places. */
  inkMuted: "#4c5a6a",
  /** Text on `primary`. */
  inkInverse: "#ffffff",
  /** Sheets, cards, fields. */
  paper: "#ffffff",
  /** The page behind `paper`. */
  ground: "#f4f6f8",
  /** Table heads, skeletons, pressed rows. */
  groundStrong: "#e6ebf0",
  /** A hovered list row. */
  raised: "#fafcfe",
  /** Hairlines. */
  line: "#d3dbe3",
  /** Borders of controls: 3:1 on `paper` and `ground`. */
  lineStrong: "#75859a",
  /** Actions: buttons, links, the product's name. */
  primary: "#17407c",
  primaryStrong: "#0e2c59",
  primaryTint: "#e7eef8",
  focus: "#0b62d6",
  /** A warning: text, border and background. */
  warning: "#7d4a00",
  warningLine: "#d99a2b",
  warningTint: "#fdf4df",
  /** An amount due, or a field error. Never used for a person. */
  due: "#a4161f",
  dueTint: "#fcecec",
  settled: "#1b6a41",
  settledTint: "#e5f3ea",
  /** Submitted but not published. */
  private: "#4d4178",
  privateLine: "#c9c1e2",
  privateTint: "#f3f1f9",
  /** Search matches. */
  mark: "#ffefad",
  /** The dark page footer, with its text and lines. */
  inverse: "#14273f",
  inverseInk: "#ffffff",
  inverseInkMuted: "#d5dfeb",
  inverseLine: "#33496a",
  inverseFocus: "#8db8ff",
  /** Shadow below floating elements, and the backdrop of a dialog. */
  shadow: "#14273f2e",
  scrim: "#14273f80",
} as const;

/** One self-hosted family for everything; the system's font until it is loaded. */
export const fontFamily = '"Inter Variable", system-ui, "Segoe UI", Roboto, Arial, sans-serif';

/** Type scale: size and line height in pixels. */
export const type = {
  small: { size: 14, line: 20 },
  body: { size: 16, line: 24 },
  lead: { size: 20, line: 28 },
  title: { size: 28, line: 36 },
} as const;

export const weight = { regular: 400, strong: 600 } as const;

/** Steps of the 8-pixel grid, named by the number of half steps: `space[2]` is 8 pixels. */
export const space = {
  1: 4,
  2: 8,
  3: 12,
  4: 16,
  6: 24,
  8: 32,
  12: 48,
  16: 64,
} as const;

export const radius = { small: 4, large: 8 } as const;

export const size = {
  /** Minimum side of anything that can be pressed. */
  target: 44,
  page: 1120,
  /** A column of prose, in characters (the CSS unit `ch`). */
  proseCh: 68,
  focusRing: 2,
} as const;

/** Minimum widths at which the layout changes. */
export const breakpoint = { medium: 640, wide: 960 } as const;

/** Milliseconds: `press` for feedback to a press, `skeletonDelay` before a skeleton appears. */
export const motion = { press: 90, move: 160, skeletonDelay: 150 } as const;

/** Name of a color's custom property: `--color-ink-muted` for `inkMuted`. */
export const colorPropertyName = (name: string) => `--color-${kebab(name)}`;

/** `inkMuted` -> `ink-muted`. */
function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function colors(values: Readonly<Record<keyof typeof color, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [colorPropertyName(name), value]),
  );
}

/**
 * Returns every token as a CSS custom property, in the order of this file: `--color-ink-muted`, `--text-body`,
 * `--line-body`, `--weight-strong`, `--space-4`, `--radius-small`, `--size-page`, `--motion-press`. Omits
 * breakpoints, since media queries can't read properties.
 */
export function customProperties(): Record<string, string> {
  const properties: Record<string, string> = {};
  Object.assign(properties, colors(color));
  properties["--font-family"] = fontFamily;
  for (const [name, step] of Object.entries(type)) {
    properties[`--text-${name}`] = `${step.size / 16}rem`;
    properties[`--line-${name}`] = `${step.line / 16}rem`;
  }
  for (const [name, value] of Object.entries(weight)) {
    properties[`--weight-${name}`] = String(value);
  }
  for (const [name, value] of Object.entries(space)) properties[`--space-${name}`] = `${value}px`;
  for (const [name, value] of Object.entries(radius)) properties[`--radius-${name}`] = `${value}px`;
  properties["--size-target"] = `${size.target}px`;
  properties["--size-page"] = `${size.page}px`;
  properties["--size-prose"] = `${size.proseCh}ch`;
  properties["--size-focus-ring"] = `${size.focusRing}px`;
  for (const [name, value] of Object.entries(motion)) {
    properties[`--motion-${kebab(name)}`] = `${value}ms`;
  }
  return properties;
}

/** Returns the style sheet: dark by the system's setting or the document's `data-theme`. Print is always light. */
export function tokensCss(): string {
  const light = ["  color-scheme: light;", ...lines(customProperties())];
  const dark = ["color-scheme: dark;", ...lines(colors(darkColor))].map((it) => it.trim());
  const indented = (depth: number) => dark.map((it) => " ".repeat(depth) + it).join("\n");
  return `/* Written by \`node packages/theme/write-tokens.ts\` from tokens.ts. */
:root {
${light.join("\n")}
}
@media screen {
  :root[data-theme="dark"] {
${indented(4)}
  }
  @media (prefers-color-scheme: dark) {
    :root:not([data-theme]) {
${indented(6)}
    }
  }
}
`;
}

function lines(properties: Readonly<Record<string, string>>): string[] {
  return Object.entries(properties).map(([name, value]) => `  ${name}: ${value};`);
}

/** Dark-mode colors, under the same names. */
export const darkColor: Readonly<Record<keyof typeof color, string>> = {
  ink: "#e6ecf2",
  inkMuted: "#a9b6c4",
  inkInverse: "#0b1a30",
  paper: "#17212c",
  ground: "#0f1720",
  groundStrong: "#24313f",
  raised: "#1c2834",
  line: "#2f3d4c",
  lineStrong: "#768aa0",
  primary: "#8fbcff",
  primaryStrong: "#b8d5ff",
  primaryTint: "#1c304e",
  focus: "#7db3ff",
  warning: "#f0b95c",
  warningLine: "#a8751e",
  warningTint: "#33270f",
  due: "#ff9d97",
  dueTint: "#3b1c1e",
  settled: "#7fd3a2",
  settledTint: "#15301f",
  private: "#c3b6f0",
  privateLine: "#574b86",
  privateTint: "#25213a",
  mark: "#453700",
  inverse: "#0a1119",
  inverseInk: "#ffffff",
  inverseInkMuted: "#c3cfdc",
  inverseLine: "#2f3d4c",
  inverseFocus: "#8db8ff",
  shadow: "#00000080",
  scrim: "#00000099",
};
