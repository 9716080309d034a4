import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { AskedProcess, SystemProcess } from "#contracts/http/system.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { FigureTable } from "../shared/figures/FigureTable.tsx";
import { Section } from "../shared/Section.tsx";
import {
  ASKED_NAMES,
  formatCpu,
  formatMemory,
  formatUptime,
  processName,
  processState,
  silentProcesses,
} from "./system-words.ts";

const TITLE = "Processes";

export interface ProcessTableProps {
  /** Undefined while it loads. */
  readonly processes: readonly SystemProcess[] | undefined;
  /** Those that do not report by themselves. */
  readonly asked: readonly AskedProcess[] | undefined;
}

/** What each process takes. One that was killed stays for an hour, and says so. */
export function ProcessTable({ processes, asked = [] }: ProcessTableProps) {
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
          rows={[...processes.map(rowOf), ...asked.flatMap(askedRowOf)]}
        />
      )}
      {silentProcesses(asked).map((name) => (
        <Typography key={name} sx={{ mt: 1, color: "warning.main" }}>
          {name} reports no resource data.
        </Typography>
      ))}
    </Section>
  );
}

interface Row {
  readonly key: string;
  readonly cells: readonly string[];
}

function rowOf(process: SystemProcess): Row {
  const { id, version, uptime, memory, cpu } = process;
  const name = processName(process);
  const figures = [formatUptime(uptime), formatMemory(memory), formatCpu(cpu)];
  return { key: id, cells: [name, processState(process), version, ...figures] };
}

function askedRowOf({ address, figures }: AskedProcess, i: number): Row[] {
  if (!figures) return [];
  const { service, uptime, memory, cpu } = figures;
  const takes = [formatUptime(uptime), formatMemory(memory), formatCpu(cpu)];
  return [
    { key: `${address} ${i}`, cells: [ASKED_NAMES[service], "Running", "Unknown", ...takes] },
  ];
}
