import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import type { SystemStatus } from "#contracts/http/system.ts";
import { type } from "#theme/tokens.ts";
import { Tile, Tiles } from "../shared/figures/Tile.tsx";
import { counted } from "../shared/formats.ts";
import {
  followWords,
  formatCpu,
  formatMemory,
  formatUptime,
  PART_NAMES,
  PARTS,
  partNote,
  STATUS_NAMES,
} from "./system-words.ts";

/** The cards of the parts, then what all processes take together. */
export function SystemTiles({ data }: { readonly data: SystemStatus | undefined }) {
  const running = data?.processes.filter(({ state }) => state === "running").length ?? 0;
  const told = data?.asked.filter(({ figures }) => figures).length ?? 0;
  const known = running + told;
  const follow = data && followWords(data.processors);
  const among =
    data && (known === 1 ? "Of one process" : `${counted(known, "process", "processes")} together`);
  return (
    <>
      <Tiles label="Connections" columns={4}>
        {PARTS.map((name) => {
          const part = data?.parts.find((each) => each.part === name);
          return (
            <Tile
              key={name}
              label={PART_NAMES[name]}
              value={
                part && (
                  <State isWell={part.status === "connected"}>{STATUS_NAMES[part.status]}</State>
                )
              }
              note={part && partNote(part)}
            />
          );
        })}
        <Tile
          label="Read models"
          value={follow && <State isWell={follow.isWell}>{follow.value}</State>}
          note={follow?.note}
        />
      </Tiles>
      <Tiles label="Use" columns={3}>
        <Tile
          label="Uptime"
          value={data && formatUptime(data.uptime)}
          note="Of the oldest process"
        />
        <Tile label="Memory" value={data && formatMemory(data.memory)} note={among} />
        <Tile label="CPU" value={data && formatCpu(data.cpu)} note="Of one core" />
      </Tiles>
    </>
  );
}

/** A state in words. What needs a look has the colour of a warning besides. */
function State(props: { readonly isWell: boolean; readonly children: ReactNode }) {
  const { isWell, children } = props;
  return (
    <Box
      component="span"
      sx={{
        color: isWell ? "success.main" : "warning.main",
        // Two cards stand beside each other on a phone.
        fontSize: { xs: type.body.size, sm: "inherit" },
      }}
    >
      {children}
    </Box>
  );
}
