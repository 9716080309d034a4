import FileIcon from "@mui/icons-material/InsertDriveFileOutlined";
import Box from "@mui/material/Box";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { color } from "#theme/color.ts";
import { publishedSize } from "./boxes.ts";
import { drawPicture } from "./burn.ts";
import { openPdf } from "./pdf-pages.ts";

/** Longest side in pixels: twice of what is shown, for dense screens. */
const SIDE = 240;

/** A file small: the picture, or the first page of a PDF. What cannot be drawn stays a sheet. */
export function Thumbnail({
  type,
  load,
}: {
  readonly type: string;
  readonly load: () => Promise<File>;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  const draw = useEffectEvent(async (isHere: () => boolean) => {
    const picture = await createImageBitmap(await pictureOf(await load(), type));
    if (canvas.current && isHere()) {
      drawPicture(canvas.current, picture, publishedSize(picture, SIDE));
      setDrawn(true);
    }
    picture.close();
  });
  useEffect(() => {
    let isHere = true;
    draw(() => isHere).catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, []);
  return (
    <Box sx={{ flex: 1, minHeight: 0, width: "100%", display: "grid", placeItems: "center" }}>
      {!isDrawn && <FileIcon sx={{ color: color.inkMuted }} />}
      <Box
        component="canvas"
        ref={canvas}
        aria-hidden
        sx={{ display: isDrawn ? "block" : "none", maxWidth: "100%", maxHeight: 56 }}
      />
    </Box>
  );
}

async function pictureOf(file: File, type: string): Promise<Blob> {
  if (type !== "application/pdf") return file;
  const pdf = await openPdf(await file.arrayBuffer());
  try {
    return await pdf.draw(1);
  } finally {
    pdf.close();
  }
}
