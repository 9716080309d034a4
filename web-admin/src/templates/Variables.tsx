import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { type TemplateKind, variablesOf } from "#contracts/mail/template-kinds.ts";
import { Section } from "../shared/Section.tsx";

const code = (text: string) => (
  <Box component="code" sx={{ fontFamily: "monospace", overflowWrap: "anywhere" }}>
    {text}
  </Box>
);

/** What a template of the kind may say beside its own words. */
export function Variables({ kind }: { readonly kind: TemplateKind }) {
  return (
    <Section title="Variables">
      <Typography sx={{ mb: 1 }}>
        {code("{{ name }}")} stands for a value, and{" "}
        {code("{% if name %}words{% else %}other words{% endif %}")} says something only where there
        is one. The body is Markdown. Links start with {code("{{ site_url }}")} and lead nowhere
        else. Every mail of this kind has its button, its warning and its closing line by itself.
      </Typography>
      <Box
        component="dl"
        sx={{
          m: 0,
          display: "grid",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "220px minmax(0, 1fr)" },
          columnGap: 2,
          "& dt": { pt: 1 },
          "& dd": { m: 0, pt: { xs: 0, sm: 1 } },
        }}
      >
        {variablesOf(kind).map(({ name, label, sample }) => (
          <Box key={name} sx={{ display: "contents" }}>
            <dt>{code(`{{ ${name} }}`)}</dt>
            <dd>
              {label}
              <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
                For example: {sample}
              </Typography>
            </dd>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
