import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { serveFakeCloud } from "./serve-fake-cloud.ts";

it("a fake cloud whose port is in use says so in one line", async () => {
  const other = await serveFakeCloud(async () => new Response());
  const { port } = new URL(other.url);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/fake.ts", "oci"], {
    env: { ...process.env, PORT: port },
    encoding: "utf8",
  });
  await other.close();
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toBe(`Port ${port} is in use. Stop what listens there, or set PORT to another.\n`);
});
