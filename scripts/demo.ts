/** `npm run demo`: runs the main use case end to end on a separate service with temporary state. Exits 0 only if every check passed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runScenario } from "./demo/demo-scenario.ts";
import { startReceiver } from "./receiver/receiver.ts";
import { startIdentityProvider } from "./service/dev-identity-provider.ts";
import { newSecrets } from "./service/new-secrets.ts";
import { freePort } from "./service/port.ts";
import { type Service, startService } from "./service/service.ts";
import { stopSignal } from "./service/stop-signal.ts";

const stopRequest = stopSignal();
try {
  process.exitCode = await main();
} catch (error) {
  console.error(`\nThe demo failed. ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
process.exit();

async function main(): Promise<number> {
  const startedAtMs = performance.now();
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopRequest, stopping.signal]);
  const stateDir = await mkdtemp(path.join(tmpdir(), "control-api-demo-"));
  const secrets = await newSecrets();
  const receiver = await startReceiver();
  const lines: string[] = [];
  let service: Service | undefined;
  let killed: Service | undefined;
  try {
    const port = await freePort();
    const people = await startIdentityProvider({
      port: await freePort(),
      servicePort: port,
      stateDir,
      operatorKey: secrets.BOOTSTRAP_API_KEY,
    });
    const start = async (): Promise<Service> => {
      service = await startService({
        port,
        stateDir,
        variables: { ...secrets, ...people, WEBHOOK_ALLOW_INSECURE: "on", STALL_SECONDS: "1" },
        signal,
        onLine: (line) => {
          lines.push(line);
        },
      });
      return service;
    };
    const { promise: ended, reject: failEarly } = Promise.withResolvers<never>();
    const watch = async (running: Service): Promise<void> => {
      const code = await running.exited;
      if (running !== killed)
        failEarly(new Error(`The service exited during the demo (exit code ${code}).`));
    };
    console.log(`Starting the service on port ${port} …`);
    const first = await start();
    watch(first).catch(failEarly);
    const scenario = runScenario({
      address: first.address,
      operatorKey: secrets.BOOTSTRAP_API_KEY,
      receiver,
      sinceStart: () => performance.now() - startedAtMs,
      killAndRestart: async () => {
        killed = service;
        killed?.kill();
        await killed?.exited;
        watch(await start()).catch(failEarly);
      },
    });
    const failures = await Promise.race([scenario, ended]);
    for (const failure of failures) console.error(`Failed: ${failure}`);
    console.log(
      failures.length === 0
        ? `\nAll checks passed in ${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s.`
        : `\n${failures.length} check${failures.length > 1 ? "s" : ""} failed.`,
    );
    if (failures.length > 0) printService(lines);
    return failures.length === 0 ? 0 : 1;
  } catch (error) {
    if (stopRequest.aborted) {
      console.error("\nThe demo was interrupted.");
      return 130;
    }
    printService(lines);
    throw error;
  } finally {
    stopping.abort();
    await service?.exited.catch(() => {});
    await receiver.close();
    await rm(stateDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

function printService(lines: readonly string[]): void {
  if (lines.length === 0) return;
  console.error("\nLast output of the service:");
  for (const line of lines.slice(-20)) console.error(`  ${line}`);
}
