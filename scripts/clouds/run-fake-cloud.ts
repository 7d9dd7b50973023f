import { choosePort, portIsFree } from "../service/port.ts";
import { stopSignal } from "../service/stop-signal.ts";
import { serveFakeCloud } from "./serve-fake-cloud.ts";

export interface FakeCloud {
  /** Its name in a sentence. */
  called: string;
  /** The port without the variable `PORT`. */
  defaultPort: number;
  fetch: (request: Request) => Promise<Response>;
  /** The deviations from the description since the last call, each as a line. */
  problems?: () => readonly string[];
  /** Further values that a person needs, such as a token, by label. */
  lines: Readonly<Record<string, string>>;
  /** Its hosts, if there are several. Each is served under a path of its own. */
  hosts?: Readonly<Record<string, unknown>> | undefined;
}

/** Serves a fake cloud to a person, on loopback, until the process is asked to stop. */
export async function runFakeCloud(provider: string, cloud: FakeCloud): Promise<never> {
  const stop = stopSignal();
  const port = await choosePort(process.env["PORT"] || String(cloud.defaultPort));
  if (!(await portIsFree(port))) {
    console.error(`Port ${port} is in use. Stop what listens there, or set PORT to another.`);
    process.exit(1);
  }
  const served = await serveFakeCloud(
    async (request) => {
      const response = await cloud.fetch(request);
      for (const problem of cloud.problems?.() ?? []) console.error(problem);
      return response;
    },
    { port },
  );
  console.log(greetingOf(provider, cloud, served.url));
  await new Promise((resolve) => {
    stop.addEventListener("abort", resolve, { once: true });
  });
  await served.close();
  process.exit(0);
}

function greetingOf(provider: string, { called, lines, hosts }: FakeCloud, url: string): string {
  const endpoint =
    hosts === undefined
      ? url
      : Object.fromEntries(Object.keys(hosts).map((name) => [name, `${url}/${name}`]));
  const labeled = { ...lines, PROVIDER_ENDPOINTS: JSON.stringify({ [provider]: endpoint }) };
  return [
    `A fake ${called} listens on ${url}`,
    ...Object.entries(labeled).map(([label, value]) => label.padEnd(20) + value),
  ].join("\n");
}
