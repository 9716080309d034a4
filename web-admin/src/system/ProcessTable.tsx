import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { SystemProcess } from "#contracts/http/system.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { FigureTable } from "../shared/figures/FigureTable.tsx";
import { Section } from "../shared/Section.tsx";
import { formatCpu, formatMemory, formatUptime, processName } from "./system-words.ts";

const TITLE = "Processes";

export interface ProcessTableProps {
  /** Undefined while it loads. */
  readonly processes: readonly SystemProcess[] | undefined;
}

/** What each process takes. One that was killed stays for an hour, and says so. */
export function ProcessTable({ processes }: ProcessTableProps) {
  return (
    <Section title={TITLE}>
      {!processes && (
        <Delayed>
          <Skeleton variant="rectangular" height={120} />
        </Delayed>
      )}
      {processes && (
        <FigureTable
          label={TITLE}
          columns={["Services", "State", "Version", "Uptime", "Memory", "CPU"]}
          rows={processes.map((process) => ({
            key: process.id,
            cells: [
              processName(process),
              stateOf(process),
              process.version,
              formatUptime(process.uptime),
              formatMemory(process.memory),
              formatCpu(process.cpu),
            ],
          }))}
        />
      )}
      <Typography color="textSecondary" sx={{ mt: 1 }}>
        The site&apos;s servers and HAProxy do not report here.
      </Typography>
    </Section>
  );
}

function stateOf({ state, reported }: SystemProcess): string {
  return state === "running" ? "Running" : `Gone, last seen ${formatUptime(reported)} ago`;
}
