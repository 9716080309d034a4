/** A box over a picture, in pixels of the picture. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const SHORTEST = 4;

/** Returns the size at which a picture is published: at most `side` on either side. */
export function publishedSize({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/** Rounds a box to whole pixels and fits it inside the picture, at least {@link SHORTEST} per side. */
export function fitted(box: Box, picture: Size): Box {
  const width = clamp(box.width, Math.min(SHORTEST, picture.width), picture.width);
  const height = clamp(box.height, Math.min(SHORTEST, picture.height), picture.height);
  return {
    x: clamp(box.x, 0, picture.width - width),
    y: clamp(box.y, 0, picture.height - height),
    width,
    height,
  };
}

/** Returns the box between two corners, in any order; undefined if it would be too small. */
export function between(
  a: Readonly<Record<"x" | "y", number>>,
  b: Readonly<Record<"x" | "y", number>>,
  picture: Size,
): Box | undefined {
  const [width, height] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
  if (width < SHORTEST || height < SHORTEST) return undefined;
  return fitted({ x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width, height }, picture);
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns the box after an arrow key moves it or, with Shift, resizes it; undefined for other keys. */
export function nudged(
  box: Box,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  picture: Size,
): Box | undefined {
  const step = STEPS[key];
  if (!step) return undefined;
  const by = Math.max(1, Math.round(Math.max(picture.width, picture.height) / 100));
  const [x, y] = [step[0] * by, step[1] * by];
  return fitted(
    shiftKey
      ? { ...box, width: box.width + x, height: box.height + y }
      : { ...box, x: box.x + x, y: box.y + y },
    picture,
  );
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(Math.round(value), least), most);
}

const QUALITY = 0.92;
/** Opaque, so nothing under a box can be guessed. */
const INK = "#000000";

/** Draws the picture at this size, on a white background. */
export function drawPicture(canvas: HTMLCanvasElement, picture: ImageBitmap, size: Size): void {
  canvas.width = size.width;
  canvas.height = size.height;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The picture cannot be drawn.");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, size.width, size.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, size.width, size.height);
}

/** Returns the picture as JPEG, with the boxes burned into its pixels. */
export async function burn(picture: ImageBitmap, size: Size, boxes: readonly Box[]): Promise<Blob> {
  const canvas = document.createElement("canvas");
  drawPicture(canvas, picture, size);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The picture cannot be drawn.");
  context.fillStyle = INK;
  for (const { x, y, width, height } of boxes) context.fillRect(x, y, width, height);
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, "image/jpeg", QUALITY),
  );
  if (!blob) throw new Error("The picture cannot be encoded.");
  return blob;
}
