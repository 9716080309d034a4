import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ANSWER_LIMIT, MEMORY_LIMIT, TIME_LIMIT_MS } from "./bounds.ts";
import type { Answer, Purpose } from "./picture-process.ts";

type Refused = Extract<Answer, { refused: string }>;

/** A picture that was decoded and encoded again, and its preview (WebP), which is empty for a published one. */
export interface DecodedPicture {
  readonly content: Buffer;
  readonly preview: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface PictureBounds {
  /** `keep` when absent. */
  readonly purpose?: Purpose;
  readonly signal?: AbortSignal;
  /** Milliseconds, and bytes of memory, until it is killed; those of `bounds.ts` when absent. */
  readonly timeMs?: number;
  readonly memory?: number;
}

/** The process of a picture ended without an answer: killed, or out of time or memory. */
export class PictureProcessFailed extends Error {
  override readonly name = "PictureProcessFailed";
}

const root = realpathSync(path.resolve(import.meta.dirname, "../.."));
const program = path.join(root, "packages/pictures/picture-process.ts");
const noNetwork = path.join(root, "packages/pictures/no-network.ts");

/** All that the process may read: its own program, and the library with what it needs. */
const READABLE = [
  "package.json",
  "packages/pictures",
  ...["sharp", "@img", "detect-libc", "semver"].map((name) => `node_modules/${name}`),
];

/** Arguments of a Node.js that may do nothing but compute and read {@link READABLE}. */
export function confined(script: string): string[] {
  return [
    "--permission",
    // The library is one. What breaks out of it in native code is not held by Node's permissions.
    "--allow-addons",
    "--disable-warning=SecurityWarning",
    "--max-old-space-size=128",
    `--import=${pathToFileURL(noNetwork)}`,
    ...READABLE.map((name) => `--allow-fs-read=${realpathSync(path.join(root, name))}`),
    script,
  ];
}

/** How often the memory of the process is looked at, in milliseconds. */
const LOOK_EVERY_MS = 50;

/** Decodes a picture in a process that gets nothing but its bytes. @throws {PictureProcessFailed} */
export async function decodePicture(
  type: "png" | "jpeg" | "webp",
  bytes: Buffer,
  bounds: PictureBounds = {},
): Promise<DecodedPicture | Refused> {
  const { purpose = "keep", signal, timeMs = TIME_LIMIT_MS, memory = MEMORY_LIMIT } = bounds;
  const child = spawn(process.execPath, [...confined(program), type, purpose], {
    cwd: root,
    env: {},
    stdio: ["pipe", "pipe", "ignore"],
  });
  const kill = () => void child.kill("SIGKILL");
  const closed = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  const timer = setTimeout(kill, timeMs);
  const look = setInterval(async () => {
    if ((await memoryOf(child.pid)) > memory) kill();
  }, LOOK_EVERY_MS);
  signal?.addEventListener("abort", kill);
  // A child that ended early does not read what is left.
  child.stdin.on("error", () => undefined);
  child.stdin.end(bytes);
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > ANSWER_LIMIT) kill();
  });
  try {
    await closed;
  } finally {
    clearTimeout(timer);
    clearInterval(look);
    signal?.removeEventListener("abort", kill);
  }
  if (child.exitCode !== 0) throw new PictureProcessFailed("a picture's process did not answer");
  return readAnswer(Buffer.concat(chunks));
}

/** Bytes of memory in use; 0 where the system does not tell. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

/** The process may be under someone else's control: nothing that it says is taken unseen. */
function readAnswer(output: Buffer): DecodedPicture | Refused {
  const end = output.indexOf("\n");
  const rest = output.subarray(end + 1);
  const answer = parse(output.toString("utf8", 0, Math.max(end, 0)));
  const { refused, width = 0, height = 0, content = 0, preview = 0 } = answer;
  if (refused === "damaged" || refused === "too_large_picture") return { refused };
  const numbers = [width, height, content];
  if (!numbers.every((n) => Number.isSafeInteger(n) && n > 0) || content + preview !== rest.length)
    throw new PictureProcessFailed("a picture's process answered something else");
  return { width, height, content: rest.subarray(0, content), preview: rest.subarray(content) };
}

function parse(
  line: string,
): Partial<Record<keyof DecodedPicture, number>> & { refused?: unknown } {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    throw new PictureProcessFailed("a picture's process answered no JSON");
  }
}
