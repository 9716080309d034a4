import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import { Delayed } from "../Delayed.tsx";
import { RetryAlert } from "../RetryAlert.tsx";
import { Section } from "../Section.tsx";

/** A section of one part of an answer. It is on its way, here, or could not be read by itself. */
export function Part<T>(props: {
  readonly title: string;
  /** Null when it could not be read, undefined while it loads. */
  readonly data: T | null | undefined;
  readonly onRetry: () => void;
  readonly children: (data: T) => ReactNode;
}) {
  const { title, data, onRetry, children } = props;
  return (
    <Section title={title}>
      {data === undefined && (
        <Box sx={{ height: 200 }}>
          <Delayed>
            <Skeleton variant="rectangular" height={200} />
          </Delayed>
        </Box>
      )}
      {data === null && (
        <RetryAlert what={title} onRetry={onRetry}>
          Couldn't load {title}.
        </RetryAlert>
      )}
      {data !== null && data !== undefined && children(data)}
    </Section>
  );
}
