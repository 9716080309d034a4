import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import CircularProgress from "@mui/material/CircularProgress";
import Typography from "@mui/material/Typography";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { type PointerEvent, useEffect, useRef, useState } from "react";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { COPY_SIDE } from "#contracts/report/evidence-rules.ts";
import { color } from "#theme/color.ts";
import { PDF_FRAME } from "../config/paths.ts";
import { messageOf } from "../data/api-error.ts";
import type { DrawPage, FrameAnswer } from "../shared/pdf-messages.ts";
import {
  type Box as Area,
  between,
  drawPicture,
  nudged,
  publishedSize,
  type Size,
} from "./boxes.ts";

interface Drawing {
  /** Text alternative of the picture. */
  readonly label: string;
  readonly boxes?: readonly Area[];
  /** Absent if boxes can't be drawn now. */
  readonly onChange?: ((boxes: readonly Area[]) => void) | undefined;
  /** 1 fits the picture into the dialog. */
  readonly zoom?: number;
}

/** An opened file: its picture, or the current page with buttons to turn pages. */
export function FileView({
  opened: { pages, picture, failure },
  label,
  page,
  onTurn,
  isBusy = false,
  ...rest
}: Drawing & {
  readonly opened: OpenedFile;
  readonly page: number;
  readonly onTurn: (page: number) => void;
  /** Disables turning pages. */
  readonly isBusy?: boolean;
}) {
  return (
    <>
      {failure && <Alert severity="warning">{failure}</Alert>}
      {!picture && !failure && (
        <Box sx={{ display: "grid", placeItems: "center", minHeight: 200 }}>
          <CircularProgress aria-label="Opening the file" />
        </Box>
      )}
      {picture && (
        <BoxesOverPicture
          {...rest}
          picture={picture}
          size={publishedSize(picture, COPY_SIDE)}
          label={pages === undefined ? label : `${label}, page ${page}`}
        />
      )}
      {pages !== undefined && pages > 1 && (
        <Box sx={{ display: "flex", gap: 1, alignItems: "center", justifyContent: "center" }}>
          <Button disabled={page <= 1 || isBusy} onClick={() => onTurn(page - 1)}>
            Previous page
          </Button>
          <Typography>
            Page {page} of {pages}
          </Typography>
          <Button disabled={page >= pages || isBusy} onClick={() => onTurn(page + 1)}>
            Next page
          </Button>
        </Box>
      )}
    </>
  );
}

type Point = Readonly<Record<"x" | "y", number>>;

const placeOf = ({ x, y, width, height }: Area, picture: Size) => ({
  left: `${(100 * x) / picture.width}%`,
  top: `${(100 * y) / picture.height}%`,
  width: `${(100 * width) / picture.width}%`,
  height: `${(100 * height) / picture.height}%`,
});

/**
 * A picture with boxes drawn over it by pointer. Each box is a button: arrow keys move it, Shift with arrow keys
 * resizes it, Delete removes it.
 */
function BoxesOverPicture({
  picture,
  size,
  label,
  boxes = [],
  onChange,
  zoom = 1,
}: Drawing & { readonly picture: ImageBitmap; readonly size: Size }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<{ readonly from: Point; readonly to: Point }>();
  const { width, height } = size;
  useEffect(() => {
    if (canvas.current) drawPicture(canvas.current, picture, { width, height });
  }, [picture, width, height]);

  const pointOf = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): Point => {
    const shown = currentTarget.getBoundingClientRect();
    return {
      x: ((clientX - shown.left) * width) / shown.width,
      y: ((clientY - shown.top) * height) / shown.height,
    };
  };
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (!onChange || event.target !== canvas.current || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const point = pointOf(event);
    setDrawn({ from: point, to: point });
  };
  const end = () => {
    const box = drawn && between(drawn.from, drawn.to, size);
    setDrawn(undefined);
    if (box) onChange?.([...boxes, box]);
  };
  const draft = drawn && between(drawn.from, drawn.to, size);
  const replace = (index: number, box: Area) => onChange?.(boxes.with(index, box));
  return (
    <Box
      onPointerDown={begin}
      onPointerMove={(event) => drawn && setDrawn({ ...drawn, to: pointOf(event) })}
      onPointerUp={end}
      onPointerCancel={() => setDrawn(undefined)}
      sx={{
        position: "relative",
        width: "fit-content",
        maxWidth: zoom === 1 ? "100%" : undefined,
        mx: "auto",
        border: 1,
        borderColor: "divider",
        lineHeight: 0,
        ...(onChange ? { cursor: "crosshair", touchAction: "none" } : {}),
      }}
    >
      <Box
        component="canvas"
        ref={canvas}
        role="img"
        aria-label={label}
        sx={zoom === 1 ? { maxWidth: "100%", maxHeight: "66vh" } : { height: `${66 * zoom}vh` }}
      />
      {boxes.map((box, index) => (
        <Box
          component="button"
          type="button"
          // A box has no ID other than its number.
          // biome-ignore lint/suspicious/noArrayIndexKey: a box keeps its place in the list
          key={index}
          disabled={!onChange}
          aria-label={`Box ${index + 1}: ${box.width} by ${box.height} at ${box.x}, ${box.y}`}
          onKeyDown={(event) => {
            const next = nudged(box, event, size);
            if (next) replace(index, next);
            else if (event.key === "Delete" || event.key === "Backspace")
              onChange?.(boxes.toSpliced(index, 1));
            else return;
            event.preventDefault();
          }}
          style={placeOf(box, size)}
          sx={{
            position: "absolute",
            p: 0,
            border: 0,
            bgcolor: "#000",
            cursor: "default",
            "&:focus-visible": { outline: `3px solid ${color.focus}`, outlineOffset: "2px" },
          }}
        />
      ))}
      {draft && (
        <Box
          style={placeOf(draft, size)}
          sx={{ position: "absolute", bgcolor: "rgb(0 0 0 / 60%)", pointerEvents: "none" }}
        />
      )}
    </Box>
  );
}

export interface FileSource {
  /** Identifies it in the query cache. */
  readonly key: readonly unknown[];
  readonly type: string;
  readonly load: () => Promise<File>;
}

interface OpenedFile {
  readonly content?: File;
  /** Number of pages of a PDF; undefined for a picture. */
  readonly pages?: number;
  readonly picture?: ImageBitmap;
  readonly failure?: string;
}

/** Every view of a file is recorded, so never refetch automatically. Data is dropped once no longer shown. */
const ONCE = { staleTime: "static", gcTime: 0, retry: false, refetchOnWindowFocus: false } as const;

/** Query that reads a file once for all components that show it. */
export const fileQuery = ({ key, load }: FileSource) =>
  ({ queryKey: ["file", ...key], queryFn: load, ...ONCE }) as const;

/** Loads a file once, and renders its picture or one of its pages. */
export function useOpenedFile(source: FileSource, page: number): OpenedFile {
  const { queryKey } = fileQuery(source);
  const { data: content, ...file } = useQuery(fileQuery(source));
  const isPdf = source.type === "application/pdf";
  const { data: pdf, ...opened } = useQuery({
    queryKey: [...queryKey, "pdf"],
    queryFn: content && isPdf ? async () => openPdf(await content.arrayBuffer()) : skipToken,
    ...ONCE,
  });
  useEffect(() => () => pdf?.close(), [pdf]);
  const { data: picture, ...drawn } = useQuery({
    queryKey: [...queryKey, page],
    queryFn:
      content && (pdf || !isPdf)
        ? async () => createImageBitmap(pdf ? await pdf.draw(page) : content)
        : skipToken,
    placeholderData: keepPreviousData,
    ...ONCE,
  });
  const error = file.error ?? opened.error ?? drawn.error;
  const failure = error ? messageOf(error, "Couldn't open the file.") : undefined;
  return omitUndefined({ content, pages: pdf?.pages, picture, failure });
}

interface PdfPages {
  readonly pages: number;
  /** Renders a page; the first is 1. */
  draw(page: number): Promise<Blob>;
  close(): void;
}

/** Time limit in milliseconds for the frame's answer. */
const TIME_LIMIT_MS = 30_000;
const FAILURES = {
  password: "This PDF is password-protected. Download it to open it.",
  unreadable: "This PDF can't be shown here. Download it to open it.",
} as const;

/**
 * Opens a PDF in a sandboxed frame with an opaque origin, which renders its pages. Only pictures leave the frame.
 * @param bytes are transferred to the frame.
 * @throws Error with a message for people.
 */
export async function openPdf(bytes: ArrayBuffer): Promise<PdfPages> {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = "PDF";
  frame.hidden = true;
  frame.src = PDF_FRAME;
  const { port1: port, port2 } = new MessageChannel();
  const close = () => {
    port.close();
    frame.remove();
  };
  const next = () =>
    new Promise<FrameAnswer>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(FAILURES.unreadable)), TIME_LIMIT_MS);
      port.onmessage = ({ data }) => {
        clearTimeout(timer);
        resolve(data as FrameAnswer);
      };
    });
  try {
    const opened = next();
    frame.addEventListener("load", () => {
      // An opaque origin can't be named as the target, so "*" is required.
      frame.contentWindow?.postMessage(bytes, "*", [bytes, port2]);
    });
    document.body.append(frame);
    const answer = await opened;
    const pages = "pages" in answer ? Number(answer.pages) : 0;
    if (!Number.isSafeInteger(pages) || pages < 1) throw failure(answer);
    // One page at a time: answers are matched by order.
    let before: Promise<unknown> = Promise.resolve();
    const draw = async (page: number) => {
      const drawn = next();
      port.postMessage({ page } satisfies DrawPage);
      const answer = await drawn;
      if (!("picture" in answer) || !(answer.picture instanceof ArrayBuffer)) throw failure(answer);
      return new Blob([answer.picture], { type: "image/png" });
    };
    return {
      pages,
      close,
      draw(page) {
        const drawn = before.then(() => draw(page));
        before = drawn.catch(() => undefined);
        return drawn;
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

function failure(answer: FrameAnswer): Error {
  const locked = "failure" in answer && answer.failure === "password";
  return new Error(FAILURES[locked ? "password" : "unreadable"]);
}
