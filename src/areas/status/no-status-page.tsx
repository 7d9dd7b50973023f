import { htmlPage } from "#http/pages/html-page.ts";
import { statusStyle } from "./status-style.ts";

/** The same page for an unknown slug and for a tenant without a public status. */
export function noStatusPage(): Promise<string> {
  return htmlPage({
    title: "No such status page",
    style: statusStyle,
    body: <h1>There is no such status page.</h1>,
  });
}
