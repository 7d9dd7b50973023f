import { expect, it } from "vitest";
import { readByEngine, verdictOn } from "./reading-verdict.ts";

const program = `
configuration: { size: { type: list<int> }, token: { type: string, secret: true } }
variables: { host: "app.\${net.domain}", bare: "$\${token}" }
resources:
  net: { type: some:Network, properties: { hosts: ["\${size[0]}"], "a/b": { fn::toJSON: "\${token}" } } }
  app:
    type: some:App
    properties: { host: "\${host}", note: "at \${host} and \${bare}" }
    options:
      dependsOn: ["\${net}"]
      customTimeouts: { create: 5m }
      aliases: [{ name: old }, "urn:pulumi:s::p::some:App::older"]
      ignoreChanges: [note]
      import: app-1
outputs: { id: "\${app.id}", "any text": 1 }
`;

it("accepts the same graph as the independent reading", () => {
  expect(verdictOn(program)).toEqual({ kind: "same graph" });
});

it.for([
  ["${net}", "${other}"],
  ["create: 5m", "create: 6m"],
  ["${size[0]}", "${token}"],
  ["some:App\n", "some:Appp\n"],
  ["fn::toJSON", "fn::toBase64"],
  ["any text", "other text"],
  ["type: list<int>", "type: string"],
  ["secret: true", "secret: false"],
  ["older", "oldest"],
  ["at ${host} and ${bare}", "at ${bare} and ${host}"],
  ["import: app-1", "import: app-2"],
])("rejects an engine that reads %s as %s", ([right = "", read = ""]) => {
  expect(program).toContain(right);
  const verdict = verdictOn(program, (source) => {
    const { graph } = readByEngine(source.replace(right, read));
    return { graph, errors: [] };
  });
  expect(verdict.kind).toBe("WRONG");
});

it.for([
  ["outputs: { a: { fn::invoke: { function: x } } }", "not_supported /outputs/a/fn::invoke"],
  ["outputs: { a: { fn::fileAsset: x } }", "not_supported /outputs/a/fn::fileAsset"],
  ["outputs: { a: 'x ${pulumi.stack}' }", "not_supported /outputs/a"],
  ["resources: { a: { type: 'pulumi:providers:x' } }", "not_supported /resources/a/type"],
  [
    "resources: { a: { type: 'x:Y', options: { parent: 1 } } }",
    "not_supported /resources/a/options/parent",
  ],
  ["main: sub", "not_supported /main"],
])("expects for %s exactly the diagnostic %s", ([source = "", error = ""]) => {
  expect(verdictOn(source)).toEqual({ kind: "diagnostic", errors: [error] });
  const silent = verdictOn(source, (text) => ({ ...readByEngine(text), errors: [] }));
  expect(silent.kind).toBe("WRONG");
  const elsewhere = verdictOn(source, () => ({ graph: undefined, errors: ["not_supported /x"] }));
  expect(elsewhere.kind).toBe("WRONG");
});

it("rejects an engine that reports an error for a valid program", () => {
  const verdict = verdictOn("outputs: { a: 1 }", (text) => ({
    ...readByEngine(text),
    errors: ["not_supported /outputs/a"],
  }));
  expect(verdict).toEqual({
    kind: "WRONG",
    reason: "unexpected diagnostic not_supported /outputs/a",
  });
});
