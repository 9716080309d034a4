import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ANSWER_LIMIT, MEMORY_LIMIT, TIME_LIMIT_MS } from "./bounds.ts";
import type { Answer, Purpose } from "./picture-process.ts";

type Refused = Extract<Answer, { refused: string }>;

/** A re-encoded picture and its preview (WebP), which is empty for a published one. */
export interface DecodedPicture {
  readonly content: Buffer;
  readonly preview: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface PictureBounds {
  /** `keep` if absent. */
  readonly purpose?: Purpose;
  readonly signal?: AbortSignal;
  /** Milliseconds and bytes of memory until the process is killed; those of `bounds.ts` if absent. */
  readonly timeMs?: number;
  readonly memory?: number;
}

/** A picture's process ended without an answer: killed, or out of time or memory. */
export class PictureProcessFailed extends Error {
  override readonly name = "PictureProcessFailed";
}

const root = realpathSync(path.resolve(import.meta.dirname, "../.."));
const program = path.join(root, "packages/pictures/picture-process.ts");
const noNetwork = path.join(root, "packages/pictures/no-network.ts");

/** All that the process may read: its own program, and sharp with its dependencies. */
const READABLE = [
  "package.json",
  "packages/pictures",
  ...["sharp", "@img", "detect-libc", "semver"].map((name) => `node_modules/${name}`),
];

/** Returns the arguments for a Node.js that can only compute and read {@link READABLE}. */
export function confined(script: string): string[] {
  return [
    "--permission",
    // sharp is one. Node's permission model doesn't contain exploits in native code.
    "--allow-addons",
    "--disable-warning=SecurityWarning",
    "--max-old-space-size=128",
    `--import=${pathToFileURL(noNetwork)}`,
    ...READABLE.map((name) => `--allow-fs-read=${realpathSync(path.join(root, name))}`),
    script,
  ];
}

/** Milliseconds between checks of the process's memory. */
const POLL_MS = 50;

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
  }, POLL_MS);
  signal?.addEventListener("abort", kill);
  // Ignore EPIPE: a child that ended early doesn't read the rest.
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
  if (child.exitCode !== 0)
    throw new PictureProcessFailed("the picture process exited without an answer");
  return readAnswer(Buffer.concat(chunks));
}

/** Resident memory in bytes; 0 if the system doesn't report it. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

/** Validates the output, since an attacker may control the process. */
function readAnswer(output: Buffer): DecodedPicture | Refused {
  const end = output.indexOf("\n");
  const rest = output.subarray(end + 1);
  const answer = parse(output.toString("utf8", 0, Math.max(end, 0)));
  const { refused, width = 0, height = 0, content = 0, preview = 0 } = answer;
  if (refused === "damaged" || refused === "too_large_picture") return { refused };
  const numbers = [width, height, content];
  if (!numbers.every((n) => Number.isSafeInteger(n) && n > 0) || content + preview !== rest.length)
    throw new PictureProcessFailed("the picture process sent an invalid answer");
  return { width, height, content: rest.subarray(0, content), preview: rest.subarray(content) };
}

function parse(
  line: string,
): Partial<Record<keyof DecodedPicture, number>> & { refused?: unknown } {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    throw new PictureProcessFailed("the picture process sent invalid JSON");
  }
}
