import { htmlPage } from "#http/pages/html-page.ts";
import { pageStyle } from "#http/pages/page-style.ts";

/** The page at `/`, for browsers. */
export function homePage(): Promise<string> {
  return htmlPage({
    title: "Control API",
    style: pageStyle,
    body: (
      <>
        <h1>Control API</h1>
        <p>
          The control plane for cloud deployments: register cloud targets, write templates, make
          instances of them, and deploy.
        </p>
        <h2>Go on</h2>
        <ul class="list">
          <li>
            <a href="/login">Sign in</a>
            <span class="soft">your tenants, invitations, API keys and sessions</span>
          </li>
          <li>
            <a href="/docs">API reference</a>
            <span class="soft">every endpoint, event and error</span>
          </li>
          <li>
            <a href="/api/v1/health">Health</a>
            <span class="soft">whether this installation works</span>
          </li>
        </ul>
        <footer>
          <p class="soft">
            Programs start at <code>/api/v1</code>, described by{" "}
            <a href="/api/v1/openapi.json">OpenAPI</a>.
          </p>
        </footer>
      </>
    ),
  });
}
