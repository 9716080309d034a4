import type { SvgIconComponent } from "@mui/icons-material";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link as RouterLink } from "react-router-dom";
import { size } from "#theme/tokens.ts";
import { Section } from "../shared/Section.tsx";

export interface QuickActionsProps {
  readonly actions: readonly {
    readonly path: string;
    readonly link: string;
    readonly icon: SvgIconComponent;
  }[];
}

/** Links to other sections. */
export function QuickActions({ actions }: QuickActionsProps) {
  return (
    <Section title="Quick Actions">
      <Box
        component="ul"
        aria-label="Quick Actions"
        sx={{
          listStyle: "none",
          m: 0,
          p: 0,
          display: "grid",
          gap: 1,
          gridTemplateColumns: "repeat(auto-fill, minmax(168px, 1fr))",
        }}
      >
        {actions.map(({ path, link, icon: Icon }) => (
          <li key={path}>
            <Button
              component={RouterLink}
              to={path}
              variant="outlined"
              startIcon={<Icon />}
              fullWidth
              sx={{ minHeight: size.target, justifyContent: "flex-start" }}
            >
              {link}
            </Button>
          </li>
        ))}
      </Box>
    </Section>
  );
}
