import type { ProcessorReport } from "#contracts/http/system.ts";
import { EmptyNote } from "../shared/EmptyNote.tsx";
import { FigureTable } from "../shared/figures/FigureTable.tsx";
import { formatCount } from "../shared/formats.ts";
import { Section } from "../shared/Section.tsx";
import { formatUptime, processorState } from "./system-words.ts";

const TITLE = "Read models";

export interface ProcessorTableProps {
  /** Undefined while it loads. */
  readonly processors: readonly ProcessorReport[] | undefined;
}

/** How far each group of tables is behind the event log. */
export function ProcessorTable({ processors }: ProcessorTableProps) {
  if (!processors) return null;
  return (
    <Section title={TITLE}>
      {processors.length === 0 && (
        <EmptyNote title="No projector reports">
          What was decided since it stopped shows once one runs again. Nothing is lost.
        </EmptyNote>
      )}
      {processors.length > 0 && (
        <FigureTable
          label={TITLE}
          columns={["Tables", "State", "Behind the log", "Parked streams"]}
          rows={processors.map((processor) => ({
            key: processor.name,
            cells: [
              processor.name,
              processorState(processor),
              processor.seconds_behind === 0 ? "No" : formatUptime(processor.seconds_behind),
              formatCount(processor.parked),
            ],
          }))}
        />
      )}
    </Section>
  );
}
