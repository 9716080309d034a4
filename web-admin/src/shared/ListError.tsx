import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";

interface ListErrorProps {
  /** The page of the list that was asked for, from 1. */
  readonly page: number;
  readonly onFirstPage: () => void;
  readonly onRetry: () => void;
  readonly children: string;
}

/** Why the rows of a list could not be read, with another try and the way to its first page. */
export function ListError({ page, onFirstPage, onRetry, children }: ListErrorProps) {
  return (
    <Alert
      severity="error"
      sx={{ m: 2 }}
      action={
        <>
          {page > 1 && (
            <Button color="inherit" onClick={onFirstPage}>
              First page
            </Button>
          )}
          <Button color="inherit" onClick={onRetry}>
            Try again
          </Button>
        </>
      }
    >
      {children}
    </Alert>
  );
}
