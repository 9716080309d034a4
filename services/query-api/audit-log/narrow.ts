/** A filter without the status that lets everything through, which the console sends when none is set. */
export function narrow<
  T extends { status?: "all" | "success" | "failure" | "warning" | undefined },
>({ status: wanted, ...rest }: T) {
  return wanted === undefined || wanted === "all" ? rest : { ...rest, status: wanted };
}
