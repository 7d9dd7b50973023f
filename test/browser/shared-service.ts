/**
 * One service for all browser suites: a start takes seconds of both cores. It starts when it is first asked for, since
 * most runs need none, and ends with the run. Every suite makes its own tenants.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { type ServedCloud, serveFakeCloud } from "../../scripts/clouds/serve-fake-cloud.ts";
import { freePort } from "../../scripts/service/port.ts";
import { cleanUp, startService, temporaryDirectory } from "../processes/service-process.ts";
import type { DescribedCloud } from "../support/fake-cloud/described-cloud.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Answers a `SharedService`, once it runs. */
    sharedServiceUrl: string;
  }
}

export interface SharedService {
  address: string;
  operatorKey: string;
  /** Of its development identity provider. */
  issuer: string;
}

/** What the fake DigitalOcean takes: the credential of a platform target is `env://TARGET_PLATFORM_DO`. */
const cloudToken = "dop_v1_browser0123456789";

let directory: string | undefined;
let served: ServedCloud | undefined;
let cloud: Promise<DescribedCloud> | undefined;
let stop = (): void => {};

export async function setup(project: TestProject): Promise<void> {
  let service: Promise<SharedService> | undefined;
  const server = createServer((_, response) => {
    service ??= start();
    service.then(
      (running) => response.end(JSON.stringify(running)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  project.provide("sharedServiceUrl", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
}

export async function teardown(): Promise<void> {
  stop();
  await served?.close();
  if (directory !== undefined) await cleanUp(directory);
}

/** A port that was free may be taken by another suite before the service has it. */
async function start(attempts = 3): Promise<SharedService> {
  try {
    return await startAtFreePorts();
  } catch (error) {
    if (attempts === 1 || !String(error).includes("is in use")) throw error;
    return start(attempts - 1);
  }
}

async function startAtFreePorts(): Promise<SharedService> {
  directory ??= await temporaryDirectory();
  served ??= await serveFakeCloud(async (request) => {
    cloud ??= fakeCloud();
    return (await cloud).fetch(request);
  });
  const identityPort = await freePort();
  const { address, operatorKey } = await startService({
    STATE_DIR: path.join(directory, "state"),
    DEV_VARS_FILE: path.join(directory, "dev.vars"),
    PORT: String(await freePort()),
    IDP_PORT: String(identityPort),
    PROVIDER_ENDPOINTS: JSON.stringify({ digitalocean: served.url }),
    TARGET_PLATFORM_DO: cloudToken,
  });
  return { address, operatorKey, issuer: `http://127.0.0.1:${identityPort}` };
}

/** Made when it is first called: its description takes a second to read. */
async function fakeCloud(): Promise<DescribedCloud> {
  const { digitaloceanDocument } = await import("../providers/digitalocean/description.ts");
  const { digitaloceanCloud, digitaloceanDescription } =
    await import("../providers/digitalocean/digitalocean-cloud.ts");
  const description = digitaloceanDescription(digitaloceanDocument);
  return digitaloceanCloud(description, { token: cloudToken, readyAfterMs: 300 });
}
