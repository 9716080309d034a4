import type { Box, Size } from "./boxes.ts";

const QUALITY = 0.92;
/** What is under a box must not be guessed from its edges: nothing of it is left. */
const INK = "#000000";

/** Draws the picture at this size, on white, where it has transparency. */
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

/** The picture with the boxes in its pixels, as JPEG. */
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
