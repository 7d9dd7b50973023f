import { spawn, spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { TOKEN } from "#test/providers/render/render-cloud.ts";
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

it.each([
  [[], "Name a cloud."],
  [["nowhere"], 'There is no fake cloud "nowhere".'],
  [["constructor"], 'There is no fake cloud "constructor".'],
  [["oci", "aws"], "Name one cloud: each has a process of its own."],
  [["oci", "--profile", "kind"], 'There is no profile "kind".'],
  [["oci", "--seed", "1"], "--seed goes with --profile real."],
  [
    ["oci", "--profile", "real", "--seed", "x"],
    "--seed must be a whole number of at most nine digits.",
  ],
  [["oci", "--sed", "1"], "Unknown option '--sed'"],
])("asked for %j, it says what is wrong and how to ask", (args, problem) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/fake.ts", ...args], {
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  const [said, usage, ...others] = stderr.trim().split("\n");
  expect(said?.startsWith(problem)).toBe(true);
  expect(usage).toMatch(/^Usage: npm run fake -- aws \| azure .*\[--profile real \[--seed N]]$/);
  expect(others).toEqual([]);
});

it("a fake cloud of the profile `real` misbehaves, and says how", async () => {
  const child = spawn(
    process.execPath,
    ["scripts/fake.ts", "render", "--profile", "real", "--seed", "3"],
    { env: { ...process.env, PORT: "0" }, stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    let told = "";
    let url: string | undefined;
    for await (const chunk of child.stdout) {
      told += String(chunk);
      url ??= /listens on (\S+)\n[^]*PROVIDER_ENDPOINTS/.exec(told)?.[1];
      if (told.includes("as it really is: ")) break;
      if (url === undefined) continue;
      const of = { headers: { authorization: `Bearer ${TOKEN}` } };
      for (let call = 0; call < 20; call += 1) await fetch(`${url}/v1/services/srv-${call}`, of);
    }
    expect(told).toMatch(/^Profile +real$/m);
    expect(told).toMatch(/^Seed +3$/m);
    expect(told).toContain("as it really is: ");
  } finally {
    child.kill();
  }
});
