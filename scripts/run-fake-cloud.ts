import { choosePort, portIsFree } from "./port.ts";
import { serveFakeCloud } from "./serve-fake-cloud.ts";
import { stopSignal } from "./stop-signal.ts";

export interface FakeCloud {
  /** Where it listens unless `PORT` says otherwise. */
  defaultPort: string;
  fetch: (request: Request) => Promise<Response>;
  /** What it has found since it was last asked that is not as described, each as a line. */
  problems?: () => readonly string[];
  /** What is printed when it listens at the URL. */
  greeting: (url: string) => string;
}

/** Serves a fake cloud to a person, on loopback, until the process is asked to stop. */
export async function runFakeCloud({
  defaultPort,
  fetch,
  problems = () => [],
  greeting,
}: FakeCloud): Promise<never> {
  const stop = stopSignal();
  const port = await choosePort(process.env["PORT"] || defaultPort);
  if (!(await portIsFree(port))) {
    console.error(`Port ${port} is in use. Stop what listens there, or set PORT to another.`);
    process.exit(1);
  }
  const served = await serveFakeCloud(
    async (request) => {
      const response = await fetch(request);
      for (const problem of problems()) console.error(problem);
      return response;
    },
    { port },
  );
  console.log(greeting(served.url));
  await new Promise((resolve) => {
    stop.addEventListener("abort", resolve, { once: true });
  });
  await served.close();
  process.exit(0);
}

/** The value of `PROVIDER_ENDPOINTS` for a cloud of several hosts, each under its own path. */
export function endpointsOf(
  provider: string,
  hosts: Readonly<Record<string, unknown>> | undefined,
  url: string,
): string {
  const endpoints = Object.keys(hosts ?? {}).map((name) => [name, `${url}/${name}`]);
  return JSON.stringify({ [provider]: Object.fromEntries(endpoints) });
}
