import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import { Delayed } from "../../shared/Delayed.tsx";

/** A placeholder for a report that is loading. */
export function RecordSkeleton() {
  return (
    <Delayed>
      <Box
        role="status"
        aria-label="Loading the report"
        sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}
      >
        <Box>
          <Skeleton variant="text" width={220} height={28} />
          <Skeleton variant="text" width={340} height={20} sx={{ maxWidth: "100%" }} />
        </Box>
        <Box
          sx={{
            display: "grid",
            gap: 3,
            gridTemplateColumns: { xs: "1fr", md: "minmax(0, 1fr) 304px" },
          }}
        >
          <Box sx={{ display: "grid", gap: 2 }}>
            <Skeleton variant="rounded" height={88} />
            <Skeleton variant="rounded" height={220} />
            <Skeleton variant="rounded" height={260} />
          </Box>
          <Skeleton variant="rounded" height={420} />
        </Box>
      </Box>
    </Delayed>
  );
}
