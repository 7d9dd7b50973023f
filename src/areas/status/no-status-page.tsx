import { htmlPage } from "#http/pages/html-page.ts";
import { statusStyle } from "./status-style.ts";

/** The same for a slug that no tenant has and for a tenant that shows no page. */
export function noStatusPage(): Promise<string> {
  return htmlPage({
    title: "No such status page",
    style: statusStyle,
    body: <h1>There is no such status page.</h1>,
  });
}
