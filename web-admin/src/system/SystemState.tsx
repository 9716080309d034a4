import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import {
  PART_STATUSES,
  type ProcessorReport,
  SYSTEM_PART_NAMES,
  SYSTEM_PARTS,
  type SystemStatus,
} from "#contracts/http/system.ts";
import { type } from "#theme/tokens.ts";
import { counted, formatCount, formatInstant } from "../shared/formats.ts";
import { Section } from "../shared/page.tsx";
import { Instant } from "../shared/parts.tsx";
import { useRead } from "../shared/reads.ts";
import { EmptyNote, Placeholder, RetryAlert } from "../shared/states.tsx";
import { StatsTable, Tile, Tiles } from "../shared/stats/stats.tsx";
import {
  ASKED_NAMES,
  failureReason,
  formatCpu,
  formatMemory,
  formatUptime,
  partNote,
  processName,
  processorState,
  processState,
  projectionText,
  STATUS_URL,
  silentProcesses,
} from "./labels.ts";

const REFRESH_MS = 5000;

/** The registry's dependencies and processes, refreshed while the page is visible. */
export function SystemState() {
  const { data, error, refetch } = useRead<SystemStatus>(["system", "status"], STATUS_URL, {
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      {error && (
        <RetryAlert severity={data ? "warning" : "error"} onRetry={refetch}>
          Failed to load system data: {failureReason(error)}
          {data && ` Showing data from ${formatInstant(data.checked_at)}.`}
        </RetryAlert>
      )}
      {(data || !error) && (
        <>
          {data && data.old_servers.length > 0 && (
            <Alert severity="warning" role="note">
              {data.old_servers.map((sentence) => (
                <p key={sentence} style={{ margin: 0 }}>
                  {sentence}
                </p>
              ))}
            </Alert>
          )}
          <SystemTiles data={data} />
          <Typography color="textSecondary">
            {data && (
              <>
                Checked <Instant at={data.checked_at} />, updated every {REFRESH_MS / 1000} seconds.
              </>
            )}
          </Typography>
          <Section title="Processes">
            {data ? <ProcessTable data={data} /> : <Placeholder height={120} />}
          </Section>
          {data && <ProcessorTable processors={data.processors} />}
        </>
      )}
    </>
  );
}

function SystemTiles({ data }: { readonly data: SystemStatus | undefined }) {
  const running = data?.processes.filter(({ state }) => state === "running").length ?? 0;
  const known = running + (data?.asked.filter(({ figures }) => figures).length ?? 0);
  const follow = data && projectionText(data.processors);
  const among =
    data && (known === 1 ? "One process" : `Total for ${counted(known, "process", "processes")}`);
  return (
    <>
      <Tiles label="Connections" columns={4}>
        {SYSTEM_PART_NAMES.map((name) => {
          const part = data?.parts.find((each) => each.part === name);
          return (
            <Tile
              key={name}
              label={SYSTEM_PARTS[name]}
              value={
                part && (
                  <State isWell={part.status === "connected"}>{PART_STATUSES[part.status]}</State>
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

function State(props: { readonly isWell: boolean; readonly children: ReactNode }) {
  return (
    <Box
      component="span"
      sx={{
        color: props.isWell ? "success.main" : "warning.main",
        // On phones, two cards fit side by side.
        fontSize: { xs: type.body.size, sm: "inherit" },
      }}
    >
      {props.children}
    </Box>
  );
}

/** Resource use of each process. A killed process stays listed for an hour and is marked as such. */
function ProcessTable({ data: { processes, asked } }: { readonly data: SystemStatus }) {
  const taken = (of: { uptime: number; memory: number; cpu: number }) => [
    formatUptime(of.uptime),
    formatMemory(of.memory),
    formatCpu(of.cpu),
  ];
  return (
    <>
      <StatsTable
        label="Processes"
        columns={["Services", "State", "Version", "Uptime", "Memory", "CPU"]}
        rows={[
          ...processes.map((process) => ({
            key: process.id,
            cells: [
              processName(process),
              processState(process),
              process.version,
              ...taken(process),
            ],
          })),
          ...asked.flatMap(({ address, figures }, i) =>
            figures
              ? {
                  key: `${address} ${i}`,
                  cells: [ASKED_NAMES[figures.service], "Running", "Unknown", ...taken(figures)],
                }
              : [],
          ),
        ]}
      />
      {silentProcesses(asked).map((name) => (
        <Typography key={name} sx={{ mt: 1, color: "warning.main" }}>
          {name} reports no resource data.
        </Typography>
      ))}
    </>
  );
}

function ProcessorTable({ processors }: { readonly processors: readonly ProcessorReport[] }) {
  return (
    <Section title="Read models">
      {processors.length === 0 ? (
        <EmptyNote title="No projector reports">
          Decisions made since it stopped will appear once a projector is running again. Nothing is
          lost.
        </EmptyNote>
      ) : (
        <StatsTable
          label="Read models"
          columns={["Tables", "State", "Behind the log", "Parked streams"]}
          rows={processors.map(({ name, state, seconds_behind, parked }) => ({
            key: name,
            cells: [
              name,
              processorState(state),
              seconds_behind === 0 ? "No" : formatUptime(seconds_behind),
              formatCount(parked),
            ],
          }))}
        />
      )}
    </Section>
  );
}
