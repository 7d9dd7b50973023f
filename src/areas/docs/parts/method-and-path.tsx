import type { JSX } from "hono/jsx/jsx-runtime";
import { MethodBadge } from "./method-badge.tsx";

/** `GET /api/v1/deployments`, with its parameters marked. */
export function MethodAndPath({ method, path }: { method: string; path: string }): JSX.Element {
  const steps = path.split("/").map((step) => (step.startsWith("{") ? <i>{step}</i> : step));
  return (
    <>
      <MethodBadge method={method} />{" "}
      <code class="path">{steps.map((step, at) => (at === 0 ? step : ["/", <wbr />, step]))}</code>
    </>
  );
}
