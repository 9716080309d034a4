import PreviousIcon from "@mui/icons-material/ArrowBack";
import NextIcon from "@mui/icons-material/ArrowForward";
import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import ZoomInIcon from "@mui/icons-material/ZoomIn";
import ZoomOutIcon from "@mui/icons-material/ZoomOut";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import FormControlLabel from "@mui/material/FormControlLabel";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import type { ReportFile } from "#contracts/http/evidence.ts";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { COPY_SIDE, FILE_TYPES, MAX_BOXES } from "#contracts/report/evidence-rules.ts";
import { SHOWN_IN } from "../commands/use-command.ts";
import { useShownReport } from "../record/OpenReport.tsx";
import { saveFile } from "../shared/save-file.ts";
import { useSending } from "../shared/use-sending.ts";
import { type Box as Area, burn, fitted, publishedSize, type Size } from "./boxes.ts";
import { type FileSource, FileView, useOpenedFile } from "./FileView.tsx";

/** Factor of each zoom step, and the limits. */
const STEP = 1.5;
const ZOOM = { least: 1, most: STEP ** 4 } as const;

interface EvidenceDialogProps {
  /** The files that can be opened, in display order. */
  readonly files: readonly ReportFile[];
  readonly fileId: string;
  readonly nameOf: (fileId: string) => string;
  readonly sourceOf: (file: ReportFile) => FileSource;
  readonly onOpen: (fileId: string) => void;
  readonly onDrawing: (isDrawing: boolean) => void;
  readonly onClose: () => void;
}

/** Shows the files of a report one at a time, to view, download, or publish with boxes over them. */
export function EvidenceDialog(props: EvidenceDialogProps) {
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      open
      onClose={isBusy ? undefined : props.onClose}
      maxWidth="xl"
      fullWidth
      // Labeled with only the file name, without the buttons next to it.
      aria-labelledby="shown-file"
      slotProps={{ paper: { sx: { height: "100%" } } }}
    >
      <ShownFile key={props.fileId} {...props} onBusy={setBusy} />
    </Dialog>
  );
}

function ShownFile(props: EvidenceDialogProps & { readonly onBusy: (isBusy: boolean) => void }) {
  const { files, fileId, nameOf, sourceOf, onOpen, onDrawing, onClose, onBusy } = props;
  const report = useShownReport();
  const index = files.findIndex(({ file_id }) => file_id === fileId);
  const file = files[index] as ReportFile;
  const { type } = file;
  const name = nameOf(fileId);
  const view = useRef<HTMLDivElement>(null);
  // Lets the keys work immediately, and after each file.
  useEffect(() => view.current?.focus(), []);
  const [page, setPage] = useState(1);
  const [zoom, setZoom] = useState<number>(ZOOM.least);
  const [boxes, setBoxes] = useState<readonly Area[]>();
  const [isCheck, setCheck] = useState(false);
  const opened = useOpenedFile(sourceOf(file), page);
  const { content, pages, picture } = opened;
  const isEditing = boxes !== undefined;
  useEffect(() => {
    onDrawing(isEditing);
    return () => onDrawing(false);
  }, [isEditing, onDrawing]);
  const size = picture && publishedSize(picture, COPY_SIDE);
  const shownPage = pages === undefined ? undefined : page;
  const refusal = refusalOf(report, file, shownPage);
  const publishing = useSending(
    async (provider, [drawn, at, over]: readonly [ImageBitmap, Size, readonly Area[]]) =>
      provider.publishEvidence(report.id, {
        fileId,
        kind: isCheck ? "check_image" : "evidence",
        page: shownPage,
        boxes: over.length,
        picture: await burn(drawn, at, over),
      }),
    {
      again: SHOWN_IN,
      tells: "success",
      refetchFirst: true,
      failed: "Couldn't publish the picture. Try again.",
      onDone: onClose,
    },
  );
  const isPublishing = publishing.isPending;
  const publish = () => {
    if (!picture || !size || !boxes) return;
    onBusy(true);
    publishing.mutate([picture, size, boxes], { onSettled: () => onBusy(false) });
  };
  const turn = (to: number) => {
    setPage(to);
    setBoxes(undefined);
  };
  const unit = pages === undefined ? "file" : "file or page";
  const goTo = (step: 1 | -1) => {
    const to = files[index + step];
    if (pages !== undefined && page + step >= 1 && page + step <= pages) turn(page + step);
    else if (to) onOpen(to.file_id);
  };
  const zoomBy = (factor: number) =>
    setZoom((now) => Math.min(ZOOM.most, Math.max(ZOOM.least, now * factor)));
  const turnWheel = useEffectEvent((event: WheelEvent) => {
    // Without the key, which a pinch also sets, the wheel scrolls.
    if (isEditing || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    zoomBy(event.deltaY < 0 ? STEP : 1 / STEP);
  });
  useEffect(() => {
    const element = view.current;
    const listen = (event: WheelEvent) => turnWheel(event);
    element?.addEventListener("wheel", listen, { passive: false });
    return () => element?.removeEventListener("wheel", listen);
  }, []);
  const tools = [
    [`Previous ${unit}`, PreviousIcon, () => goTo(-1), index === 0 && page === 1],
    [`Next ${unit}`, NextIcon, () => goTo(1), index === files.length - 1 && page >= (pages ?? 1)],
    ["Zoom out", ZoomOutIcon, () => zoomBy(1 / STEP), zoom <= ZOOM.least],
    ["Zoom in", ZoomInIcon, () => zoomBy(STEP), zoom >= ZOOM.most],
  ] as const;
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => goTo(-1),
    ArrowRight: () => goTo(1),
    "+": () => zoomBy(STEP),
    "=": () => zoomBy(STEP),
    "-": () => zoomBy(1 / STEP),
    "0": () => setZoom(ZOOM.least),
  };
  const press = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    // While editing, the arrow keys move the boxes.
    if (isEditing || !act) return;
    event.preventDefault();
    act();
  };
  return (
    <Box
      onKeyDown={press}
      sx={{ display: "flex", flexDirection: "column", minHeight: 0, height: "100%" }}
    >
      <DialogTitle
        id="file-tools"
        component="div"
        sx={{ display: "flex", gap: 1, alignItems: "center", flexWrap: "wrap", py: 1 }}
      >
        <Box
          component="h2"
          id="shown-file"
          // On phones, the tools wrap below it.
          sx={{ flex: "1 1 200px", minWidth: 0, m: 0, font: "inherit", overflowWrap: "anywhere" }}
        >
          {isEditing ? `Publish ${name}` : name}
        </Box>
        {!isEditing && (
          <>
            <Typography component="span" color="textSecondary">
              {index + 1} of {files.length}
            </Typography>
            {tools.map(([label, Icon, onClick, disabled]) => (
              <IconButton
                key={label}
                aria-label={label}
                onClick={onClick}
                disabled={disabled}
                sx={{ width: 44, height: 44 }}
              >
                <Icon />
              </IconButton>
            ))}
          </>
        )}
      </DialogTitle>
      <DialogContent
        ref={view}
        tabIndex={-1}
        sx={{ display: "grid", gap: 2, alignContent: "start", outline: "none" }}
      >
        {isEditing && size && <AddBox boxes={boxes} size={size} onChange={setBoxes} />}
        <FileView
          opened={opened}
          label={`${FILE_TYPES[type]} ${name}`}
          page={page}
          onTurn={turn}
          isBusy={isPublishing}
          zoom={zoom}
          boxes={boxes ?? []}
          onChange={isEditing && !isPublishing ? setBoxes : undefined}
        />
        {isEditing && size && <BoxFields boxes={boxes} size={size} onChange={setBoxes} />}
        {isEditing && report.report_type === "bad_check" && (
          <FormControlLabel
            control={
              <Checkbox checked={isCheck} onChange={(event) => setCheck(event.target.checked)} />
            }
            label="This is the check"
          />
        )}
        {isEditing && report.status !== "approved" && (
          <Typography color="textSecondary">
            Anyone can see the picture once the report is approved.
          </Typography>
        )}
        {publishing.failure && <Alert severity="error">{publishing.failure}</Alert>}
        {!isEditing && picture && refusal && (
          <Typography color="textSecondary">{refusal}</Typography>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={isEditing ? () => setBoxes(undefined) : onClose} disabled={isPublishing}>
          {isEditing ? "Back" : "Close"}
        </Button>
        {!isEditing && content && <Button onClick={() => saveFile(content, name)}>Download</Button>}
        {!isEditing && picture && !refusal && (
          <Button variant="contained" onClick={() => setBoxes([])}>
            Prepare to publish
          </Button>
        )}
        {isEditing && (
          <Button variant="contained" loading={isPublishing} onClick={publish}>
            {`Publish with ${boxes.length === 1 ? "1 box" : `${boxes.length} boxes`}`}
          </Button>
        )}
      </DialogActions>
    </Box>
  );
}

function refusalOf(
  { status, holds }: AdminReportDetail,
  { kind, copies }: ReportFile,
  shown: number | undefined,
): string | undefined {
  if (kind !== "evidence") return "Only evidence can be published.";
  if (status === "rejected")
    return "Evidence of a rejected report is not published. Approve it or put it under review first.";
  if (holds.some(({ copy_id }) => copy_id === undefined))
    return "The report is on hold because of a copyright notice. Decide the notice first.";
  return copies.some(({ page }) => page === shown)
    ? "This is already published. To publish a different picture of it, hide this one first."
    : undefined;
}

interface BoxesProps {
  readonly boxes: readonly Area[];
  readonly size: Size;
  readonly onChange: (boxes: readonly Area[]) => void;
}

const SIDES = { x: "Left", y: "Top", width: "Width", height: "Height" } as const;

/** Explains how to draw boxes, and adds one for those who can't draw. */
function AddBox({ boxes, size, onChange }: BoxesProps) {
  const { width, height } = size;
  const add = () =>
    onChange([
      ...boxes,
      fitted({ x: width / 3, y: height / 3, width: width / 3, height: height / 20 }, size),
    ]);
  return (
    <Box sx={{ display: "flex", gap: 2, alignItems: "center", flexWrap: "wrap" }}>
      <Typography sx={{ flex: "1 1 300px" }}>
        Draw boxes over account numbers, addresses and anything else that should stay private. Use
        the arrow keys to move a box, and Shift with the arrow keys to resize it.
      </Typography>
      <Button variant="outlined" onClick={add} disabled={boxes.length >= MAX_BOXES}>
        Add box
      </Button>
    </Box>
  );
}

/** The boxes as numeric fields, for those who can't draw. */
function BoxFields({ boxes, size, onChange }: BoxesProps) {
  return boxes.map((box, index) => (
    <Box
      component="fieldset"
      // biome-ignore lint/suspicious/noArrayIndexKey: a box keeps its place in the list
      key={index}
      sx={{
        display: "flex",
        gap: 1,
        flexWrap: "wrap",
        alignItems: "end",
        border: 0,
        p: 0,
        m: 0,
      }}
    >
      <Typography component="legend" sx={{ fontWeight: 600, mb: 0.5 }}>
        Box {index + 1}
      </Typography>
      {Object.entries(SIDES).map(([side, label]) => (
        <TextField
          key={side}
          size="small"
          type="number"
          label={label}
          value={box[side as keyof Area]}
          onChange={({ target }) =>
            onChange(boxes.with(index, fitted({ ...box, [side]: Number(target.value) || 0 }, size)))
          }
          sx={{ width: 104 }}
        />
      ))}
      <IconButton
        aria-label={`Remove box ${index + 1}`}
        onClick={() => onChange(boxes.toSpliced(index, 1))}
      >
        <DeleteIcon />
      </IconButton>
    </Box>
  ));
}
