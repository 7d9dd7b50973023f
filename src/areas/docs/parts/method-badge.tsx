import type { JSX } from "hono/jsx/jsx-runtime";

export function MethodBadge({ method }: { method: string }): JSX.Element {
  return <span class={`method ${method.toLowerCase()}`}>{method.toUpperCase()}</span>;
}
