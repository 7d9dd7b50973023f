import { execFile } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";
import { startLoopbackServer } from "../service/loopback-server.ts";

it("reads with the key of the variable that the other commands of operators take", async () => {
  const keys: (string | undefined)[] = [];
  const service = await startLoopbackServer((request, response) => {
    keys.push(request.headers.authorization);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: [], nextCursor: null }));
  });
  try {
    expect(await reconcile(service.url, { OPERATOR_KEY: "cpk_op" })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^0 instances, 0 deployments compared: 0 differ/),
    });
    expect(new Set(keys)).toEqual(new Set(["Bearer cpk_op"]));
    keys.length = 0;
    expect(await reconcile(service.url, {})).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("OPERATOR_KEY=<operator key>"),
    });
    expect(keys).toEqual([]);
  } finally {
    await service.close();
  }
});

function reconcile(address: string, variables: Record<string, string>) {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(projectRoot, "scripts/reconcile.ts"), address],
      { env: { PATH: process.env["PATH"], ...variables } },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : error.code, stdout, stderr });
      },
    );
  });
}
