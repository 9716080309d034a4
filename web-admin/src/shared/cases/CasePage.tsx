import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { useDataProvider, useRequireAccess } from "react-admin";
import { Link as RouterLink, useParams } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { ApiError, messageOf } from "../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { FullPageLoading } from "../FullPageLoading.tsx";
import { Sorry } from "../Sorry.tsx";

const ONE = { inquiries: "inquiry", notices: "notice" } as const;

export interface CasePageProps<Case> {
  /** Which list it is one of. */
  readonly of: keyof typeof ONE;
  readonly children: (record: Case) => ReactNode;
}

/** Loads the inquiry or the notice that the address names, and shows it. */
export function CasePage<Case extends { readonly id: string }>(props: CasePageProps<Case>) {
  const { of, children } = props;
  const provider = useDataProvider<ConsoleDataProvider>();
  const { id = "" } = useParams();
  const { isPending: isChecking } = useRequireAccess({ resource: of, action: "show" });
  const { data, error, refetch } = useQuery({
    queryKey: [of, "one", id],
    queryFn: () => provider.read<Case>(`/${of}/${encodeURIComponent(id)}`),
    enabled: !isChecking,
    retry: false,
  });
  // A note that is being typed stays when a later look fails, unless there is nothing left to add it to.
  if (error && (!data || isGone(error)))
    return <LoadError of={of} error={error} onRetry={() => void refetch()} />;
  if (!data) return <FullPageLoading />;
  return <Fragment key={data.id}>{children(data)}</Fragment>;
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

function LoadError(props: {
  readonly of: keyof typeof ONE;
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  const { of, error, onRetry } = props;
  const gone = isGone(error);
  const again = (
    <Button key="again" variant="contained" onClick={onRetry}>
      Try again
    </Button>
  );
  return (
    <Sorry
      title={gone ? `There is no such ${ONE[of]}` : `The ${ONE[of]} could not be loaded`}
      actions={[
        ...(gone ? [] : [again]),
        <Button key="list" variant="outlined" component={RouterLink} to={paths[of]}>
          {`All ${of}`}
        </Button>,
      ]}
    >
      {gone ? "It does not exist, or it was erased." : messageOf(error, "Unknown error occurred")}
    </Sorry>
  );
}
