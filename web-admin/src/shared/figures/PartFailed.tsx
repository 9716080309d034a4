import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";

/** Says that a part of the page could not be read, in place of made-up figures. */
export function PartFailed(props: { readonly what: string; readonly onRetry: () => void }) {
  return (
    <Alert
      severity="error"
      action={
        <Button color="inherit" onClick={props.onRetry} aria-label={`Try again: ${props.what}`}>
          Try again
        </Button>
      }
    >
      {props.what} could not be read.
    </Alert>
  );
}
