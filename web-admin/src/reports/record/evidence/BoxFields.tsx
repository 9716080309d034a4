import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { MOST_BOXES } from "#contracts/report/evidence-rules.ts";
import { type Box as Area, fitted, type Size } from "./boxes.ts";

const SIDES = { x: "Left", y: "Top", width: "Width", height: "Height" } as const;

/** The boxes as numbers, for those who do not draw them. */
export function BoxFields({
  boxes,
  size,
  onChange,
}: {
  readonly boxes: readonly Area[];
  readonly size: Size;
  readonly onChange: (boxes: readonly Area[]) => void;
}) {
  const { width, height } = size;
  const add = () =>
    onChange([
      ...boxes,
      fitted({ x: width / 3, y: height / 3, width: width / 3, height: height / 20 }, size),
    ]);
  return (
    <>
      <Box sx={{ display: "flex", gap: 2, alignItems: "center", flexWrap: "wrap" }}>
        <Typography sx={{ flex: "1 1 300px" }}>
          Draw boxes over account numbers, addresses and everything else that nobody needs to see.
          Arrow keys move a box, with Shift they change its size.
        </Typography>
        <Button variant="outlined" onClick={add} disabled={boxes.length >= MOST_BOXES}>
          Add box
        </Button>
      </Box>
      {boxes.map((box, index) => (
        <Box
          component="fieldset"
          // biome-ignore lint/suspicious/noArrayIndexKey: a box keeps its place in the list
          key={index}
          sx={{
            display: "flex",
            gap: 1,
            flexWrap: "wrap",
            alignItems: "center",
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
                onChange(
                  boxes.with(index, fitted({ ...box, [side]: Number(target.value) || 0 }, size)),
                )
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
      ))}
    </>
  );
}
