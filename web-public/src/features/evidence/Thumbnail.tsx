import { useEffect, useRef } from "react";
import styles from "./Evidence.module.css";

/**
 * The server's preview of a picture. It is drawn, since the page's policy allows no pictures from
 * data.
 * @param preview WebP in base64; absent for a PDF and while the file is on its way.
 */
export function Thumbnail({ preview, label }: { preview: string | undefined; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!preview) return;
    let isCurrent = true;
    void draw(preview, () => (isCurrent ? canvas.current : null)).catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [preview]);
  return (
    <span className={styles.thumbnail} aria-hidden="true">
      {preview ? <canvas ref={canvas} /> : label}
    </span>
  );
}

async function draw(preview: string, target: () => HTMLCanvasElement | null): Promise<void> {
  const bytes = Uint8Array.from(atob(preview), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/webp" }));
  const canvas = target();
  if (canvas) {
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas.getContext("2d")?.drawImage(picture, 0, 0);
  }
  picture.close();
}
