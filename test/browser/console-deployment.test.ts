/** The page of a deployment while its connection breaks, and what it shows of retries. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Request } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, clientOf, type Named } from "../../scripts/client/client.ts";
import { setUpInstance, setUpTemplate } from "../../scripts/client/tenant-setup.ts";
import { describeInBrowser, sharedService, takeScreenshot } from "./browser.ts";
import { type ConsoleVisits, consoleVisits, expectReadable } from "./console-visit.ts";
import type { SharedService } from "./shared-service.ts";

interface Lines {
  data: { seq: number; message: string }[];
}

describeInBrowser("the page of a deployment", () => {
  let service: SharedService;
  let visits: ConsoleVisits;
  let client: Client;
  let templateId: string;

  beforeAll(async () => {
    service = await sharedService();
    visits = await consoleVisits(service);
    const operator = clientOf(service.address, service.operatorKey);
    const tenant = await operator.post<Named>("/tenants", {
      name: "Lost connections",
      slug: `lost-${Date.now()}`,
    });
    const { key } = await operator.post<{ key: string }>("/api-keys", {
      name: "pipeline",
      scopes: ["*"],
      tenantId: tenant.id,
    });
    client = clientOf(service.address, key);
    templateId = await setUpTemplate(client, "three-tier.yaml");
  });

  afterAll(async () => {
    await visits?.close();
  });

  it("goes on after the last line when its connection breaks, and asks for nothing while nothing happens", async () => {
    const instanceId = await setUpInstance(client, {
      name: "cut",
      templateId,
      config: { latencyMs: 1_500 },
    });
    await client.patch(`/instances/${instanceId}`, { approvalMode: "always" });
    const { id } = await client.post<Named>(`/instances/${instanceId}/deploy`, {});
    const place = `/deployments/${id}`;
    await expect
      .poll(async () => (await client.get<{ state: string }>(place)).state, { timeout: 30_000 })
      .toBe("AWAITING_APPROVAL");
    const { page } = await visits.open(place);
    await page.getByText("live", { exact: true }).waitFor();
    const asked: Request[] = [];
    page.on("request", (request) => asked.push(request));
    await page.waitForTimeout(2_000);
    expect(asked.map((request) => request.url())).toEqual([]);

    const line = await startBreakableLine(service.address);
    try {
      await page.route(`**${line.path(id)}?*`, (route) =>
        route.continue({ url: route.request().url().replace(service.address, line.address) }),
      );
      await page.reload();
      await page.getByText("live", { exact: true }).waitFor();
      await page.getByText("Graph", { exact: true }).click();
      await page.locator("[data-drawn]").waitFor();
      page.once("dialog", (dialog) => void dialog.accept());
      await Promise.all([
        page.waitForEvent("load"),
        page.getByRole("button", { name: "Approve the plan" }).click(),
      ]);
      await page.getByText("Graph", { exact: true }).click();
      const lines = page.locator("#log li");
      const cameWith = await page.locator("#log").getAttribute("data-after");
      await expect
        .poll(async () => Number(await lines.last().getAttribute("value")), { timeout: 30_000 })
        .toBeGreaterThan(Number(cameWith));
      const before = line.asked.length;
      const last = line.break();
      // Once ended, once reset, once refused by something between, then as it is.
      await expect.poll(() => line.asked.length, { timeout: 30_000 }).toBe(before + 3);
      const [afterEnd, afterReset, afterRefusal] = line.asked.slice(before);
      expect([afterEnd?.lastEventId, afterReset?.lastEventId]).toEqual([last, last]);
      // The browser gave up: another connection begins.
      expect(afterRefusal).toEqual({ lastEventId: undefined, cursor: last });
      await page.getByRole("heading", { name: "Deploy of cut succeeded." }).waitFor({
        timeout: 60_000,
      });
      const { data } = await client.get<Lines>(`${place}/log`);
      await expect.poll(() => lines.count()).toBe(data.length);
      const shown = await lines.evaluateAll((all) =>
        all.map((one) => (one as HTMLLIElement).value),
      );
      expect(shown).toEqual(data.map(({ seq }) => seq));
      await expect
        .poll(() => page.locator('#plan-graph [data-node="api"] .words').textContent())
        .toBe("done · Server");
    } finally {
      line.close();
    }
    await takeScreenshot(page, "console-deployment-cut", { fullPage: true });
  }, 60_000);

  it("never contradicts the service for more than two seconds, with 150 resources", async () => {
    const names = Array.from({ length: 149 }, (_, at) => `n${at}`);
    const source = `
config: { names: { type: array, default: [${names.join(", ")}] } }
resources:
  network: { type: mock:Network, properties: { name: big, cidr: 10.0.0.0/16 } }
  web:
    type: mock:Server
    forEach: \${names}
    properties: { name: "\${each.key}", network: "\${network.id}", size: small }
`;
    const big = await client.post<Named>("/templates", { name: "big", source });
    const instanceId = await setUpInstance(client, {
      name: "big",
      templateId: big.id,
      config: { latencyMs: 100 },
      variables: {},
    });
    const { id } = await client.post<Named>(`/instances/${instanceId}/deploy`, {});
    const { page } = await visits.open(`/deployments/${id}`);
    const wrongSince: { [what: string]: number } = {};
    let longest = 0;
    const compare = (what: string, isRight: boolean) => {
      if (isRight) delete wrongSince[what];
      else
        longest = Math.max(longest, performance.now() - (wrongSince[what] ??= performance.now()));
    };
    for (let isOver = false; !isOver;) {
      const { state } = await client.get<{ state: string }>(`/deployments/${id}`);
      const shown = await page.evaluate(() => ({
        state: document.querySelector("#standing .row .tag")?.textContent,
        done: document.querySelectorAll("#plan [data-mark=done]").length,
        moving: document.querySelectorAll("#plan [data-mark=moving]").length,
      }));
      isOver = state === "SUCCEEDED" && shown.state === "succeeded";
      compare("state", shown.state === state.toLowerCase());
      compare("rows", state !== "SUCCEEDED" || (shown.done === 150 && shown.moving === 0));
      await page.waitForTimeout(200);
    }
    expect(longest).toBeLessThan(2_000);
  }, 120_000);

  it("shows how often a resource was tried again, and downloads a line for each entry of the log", async () => {
    const instanceId = await setUpInstance(client, {
      name: "flaky",
      templateId,
      config: { faults: [{ kind: "networks", on: "create", times: 2, status: 503 }] },
    });
    const first = await client.post<Named>(`/instances/${instanceId}/deploy`, {});
    const place = `/deployments/${first.id}`;
    const { page } = await visits.open(place);
    await page.locator("#plan .retries").first().waitFor({ timeout: 60_000 });
    expect(await page.locator("#plan .retries").first().innerText()).toMatch(/^\d+ retr(y|ies)$/);
    await takeScreenshot(page, "console-deployment-retries", { fullPage: true });
    await expectReadable(page);

    await page.getByRole("heading", { name: "Deploy of flaky succeeded." }).waitFor({
      timeout: 60_000,
    });
    const { data } = await client.get<Lines>(`${place}/log`);
    await expect.poll(() => page.locator("#log li").count()).toBe(data.length);
    // What a cloud says of a failure may be several lines, and pretend to be others.
    const said =
      "No.\r\n2026-01-01T00:00:00.000Z\tinfo\tAll is well\\ \u2028\u0085\v\u202e\u{e0001}";
    await page.locator("#log li span").first().evaluate(setText, said);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`deployment-${first.id}.log`);
    const text = await readFile(await download.path(), "utf8");
    const lines = text.split(/[\n\v\f\r\u0085\u2028\u2029]/);
    expect(lines.pop()).toBe("");
    expect(lines).toHaveLength(data.length);
    const columns = lines.map((line) => line.split("\t"));
    expect(columns.map((line) => line.length)).toEqual(lines.map(() => 3));
    const written = columns[0]?.[2] ?? "";
    expect(written).toMatch(/^[ -~]+$/);
    expect(JSON.parse(`"${written}"`)).toBe(said);
  }, 90_000);
});

function setText(element: Element, text: string): void {
  element.textContent = text;
}

interface Line {
  address: string;
  path: (deploymentId: string) => string;
  /** What each connection was asked to go on after. */
  asked: { lastEventId: string | undefined; cursor: string | null }[];
  /**
   * Ends what is open. The next connection is reset, the one after it answered with 503.
   * @returns the id of the last event that came through whole
   */
  break: () => string | undefined;
  close: () => void;
}

interface Connection {
  answer?: IncomingMessage;
  response: ServerResponse;
  passedOn: string;
}

/** Stands between the browser and the log, as a network does. */
async function startBreakableLine(address: string): Promise<Line> {
  const asked: Line["asked"] = [];
  const connections: Connection[] = [];
  const broken = ["reset", "refused"];
  let isBroken = false;
  const server = createServer((request, response) => {
    const cursor = new URL(request.url ?? "", address).searchParams.get("cursor");
    const lastEventId = request.headers["last-event-id"];
    asked.push({ lastEventId: lastEventId?.toString(), cursor });
    const fault = isBroken ? broken.shift() : undefined;
    if (fault === "reset") {
      request.socket.destroy();
      return;
    }
    if (fault === "refused") {
      response.writeHead(503).end();
      return;
    }
    const connection: Connection = { response, passedOn: "" };
    connections.push(connection);
    const { method, headers, url } = request;
    const onward = httpRequest(new URL(url ?? "", address), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      connection.answer = answer;
      answer.on("data", (bytes: Buffer) => {
        connection.passedOn += bytes.toString("latin1");
      });
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    onward.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: (deploymentId) => `/api/v1/deployments/${deploymentId}/log`,
    asked,
    break: () => {
      isBroken = true;
      for (const { answer, response } of connections) {
        answer?.unpipe(response);
        response.end();
      }
      const events = connections.flatMap(({ passedOn }) => passedOn.split("\n\n").slice(0, -1));
      return events.findLast((event) => event.startsWith("id: "))?.match(/\d+/)?.[0];
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
