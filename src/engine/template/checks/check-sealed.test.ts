import { expect, it } from "vitest";
import { describeTemplate } from "#engine/template/describe.ts";
import { catalogue } from "#providers/catalogue/catalogue.ts";

const check = (rest: string) =>
  describeTemplate(
    `config: { token: { type: string, secret: true } }
${rest}`,
    catalogue(),
  ).diagnostics;

it.for([
  'name: "${token}"',
  'name: "db-${token}"',
  "name: db, tags: [{ fn::sha1: '${token}' }]",
  'name: db, region: "${v}"',
  "name: { fn::unsecret: '${token}' }",
])("refuses a secret config value in a property that the cloud shows: %s", (properties) => {
  const diagnostics = check(`variables: { v: "\${token}" }
resources: { db: { type: mock:Bucket, properties: { ${properties} } } }
outputs: { o: "\${v}" }
`);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
    {
      code: "sealed_value",
      line: 3,
      path: expect.stringMatching(/^\/resources\/db\/properties\//),
    },
  ]);
});

it("accepts it in another property, and the template's own secrets anywhere", () => {
  expect(
    check(`resources:
  db: { type: mock:Database, properties: { name: { fn::secret: mine }, password: "\${token}" } }
`),
  ).toEqual([]);
});

it("warns of an unsecret() without effect", () => {
  expect(
    check(`variables: { mine: { fn::secret: open } }
outputs: { o: "\${unsecret(mine)}", p: "\${[1].map(x, unsecret(token))}" }
`),
  ).toMatchObject([{ code: "sealed_value", line: 3, path: "/outputs/p", column: 53 }]);
});

it("warns of an fn::unsecret without effect, wherever it stands", () => {
  expect(
    check(`variables: { v: { fn::join: ["", [a, { fn::unsecret: "x\${token}" }]] } }
resources:
  db: { type: mock:Database, properties: { name: db, password: "\${v}" } }
outputs: { o: { list: [{ fn::unsecret: "\${v}" }, { fn::unsecret: { fn::secret: open } }] } }
`),
  ).toMatchObject([
    {
      severity: "warning",
      code: "sealed_value",
      line: 2,
      message: expect.stringContaining("${token} was given as a secret"),
    },
    { severity: "warning", code: "sealed_value", line: 5, path: "/outputs/o/list/0" },
  ]);
});

it("refuses a function that would reveal a secret by failing", () => {
  expect(check('outputs: { o: { fn::split: [",", "${token}"] } }\n')).toMatchObject([
    { severity: "error", code: "sealed_value", line: 2 },
  ]);
});
