/** A request body or query built to be expensive. */
export interface Hostile {
  readonly kind: string;
  readonly text: string;
}

const quoted = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(",");
const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index));

/** Texts that cost more than their length suggests, by what is wrong with them. */
export const hostileTexts: Readonly<Record<string, string>> = {
  "one word of 10,000 letters": "a".repeat(10_000),
  "words of one letter": "a b c d e f g h i j ".repeat(500),
  "NUL bytes": "\0".repeat(1000),
  "lone surrogates": "\ud800".repeat(1000),
  // One character that compatibility normalization (NFKC) expands to 18.
  "ligatures that expand": "\ufdfa".repeat(1000),
  "combining marks": `e${"\u0301".repeat(2000)}`,
  "wildcards and quotes": "%_\\'\"*?~^()[]{}:&|!<->".repeat(200),
  "a made-up page token": Buffer.from(JSON.stringify({ v: 1, a: ["x".repeat(500)] })).toString(
    "base64url",
  ),
};

const manyWithin = (bytes: number) => (unit: number) =>
  Math.max(1, Math.floor((bytes - 200) / unit));

const parserBodiesOf = new Map<number, readonly [kind: string, text: string][]>();

/** Bodies without fields. They take long to build, so each length is built once. */
function parserBodies(bytes: number) {
  const made = parserBodiesOf.get(bytes);
  if (made) return made;
  const many = manyWithin(bytes);
  const bodies: [string, string][] = [
    ["deep lists", `{"a":${"[".repeat(many(2))}${"]".repeat(many(2))}}`],
    ["deep objects", `${'{"a":'.repeat(many(6))}1${"}".repeat(many(6))}`],
    ["a wide list", `{"a":[${times(many(2), () => "0")}]}`],
    ["a wide object", `{${times(many(12), (n) => `"f${n}":1`)}}`],
    ["one repeated name", `{${times(many(6), () => '"a":1')}}`],
    ["many bad texts", `{"a":[${times(many(9), () => '"\\u0000"')}]}`],
    ["a long name", `{"${"k".repeat(many(1))}":1}`],
    [
      "a long name over bad texts",
      `{"${"k".repeat(many(2))}":[${times(many(20), () => '"\\u0000"')}]}`,
    ],
    ["many bad names", `{${times(many(16), (n) => `"\\u0000${n}":1`)}}`],
    ["lists within a list", `[${times(many(12), () => "[[],[],[]]")}]`],
    ["large numbers", `{"a":[${times(many(8), () => "1e9999")}]}`],
    ["a prototype", `{"__proto__":{"a":[${times(many(4), () => "1")}]}}`],
  ];
  parserBodiesOf.set(bytes, bodies);
  return bodies;
}

/**
 * Bodies built to be expensive, each as long as `bytes` allows.
 * @param fields names that the route knows; each holds every hostile text in turn.
 */
export function hostileBodies(bytes: number, fields: readonly string[]): Hostile[] {
  const many = manyWithin(bytes);
  const bodies = [...parserBodies(bytes)];
  for (const [kind, text] of Object.entries(hostileTexts)) {
    const room = Math.floor(many(1) / Math.max(1, fields.length)) - 20;
    const short = text.slice(0, Math.max(1, Math.floor(room / 7)));
    bodies.push([
      `${kind} in every field`,
      `{${fields.map((name) => `${JSON.stringify(name)}:${JSON.stringify(short)}`)}}`,
    ]);
    bodies.push([`a list of ${kind}`, `[${quoted(times(20, () => short))}]`]);
  }
  return bodies.map(([kind, text]) => ({ kind, text }));
}

/**
 * Query strings built to be expensive, within the limit of headers.
 * @param names parameters that the route knows.
 */
export function hostileQueries(names: readonly string[]): Hostile[] {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, 8000);
  const whole = (text: string) => encode(text).replace(/%[0-9A-F]?$/, "");
  const queries: [string, string][] = [
    ["many parameters", times(1500, (n) => `p${n}=1`).join("&")],
    ["one parameter, again and again", times(2000, () => "q=a").join("&")],
    ["a long name", `${"k".repeat(8000)}=1`],
    ["many NUL bytes", times(800, (n) => `p${n}=%00`).join("&")],
    ["a prototype", "__proto__=%00&constructor=1"],
    ["nonsense", "%&=%zz&&&==&%E0%A4%A"],
  ];
  for (const name of names) {
    for (const [kind, text] of Object.entries(hostileTexts))
      queries.push([`${name}: ${kind}`, `${name}=${whole(text)}`]);
    queries.push([`${name}: deep JSON`, `${name}=${whole("[".repeat(2600))}`]);
    queries.push([`${name}: many values`, times(800, () => `${name}=a`).join("&")]);
  }
  return queries.map(([kind, text]) => ({ kind, text }));
}
