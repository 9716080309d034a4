import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link as RouterLink } from "react-router-dom";
import { Section } from "../shared/Section.tsx";

export interface QuickActionsProps {
  readonly actions: readonly { readonly path: string; readonly link: string }[];
}

/** Links to other sections. */
export function QuickActions({ actions }: QuickActionsProps) {
  return (
    <Section title="Quick Actions">
      <Box
        component="ul"
        aria-label="Quick Actions"
        sx={{ listStyle: "none", m: 0, p: 0, display: "flex", flexWrap: "wrap", gap: 1 }}
      >
        {actions.map(({ path, link }) => (
          <li key={path}>
            <Button component={RouterLink} to={path} variant="outlined" sx={{ px: 1.25 }}>
              {link}
            </Button>
          </li>
        ))}
      </Box>
    </Section>
  );
}
