import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { cloudFormationParser } from "./cloudformation.ts";

function parse(text: string) {
  const log = new ImportLog();
  const { modules } = parsedBy(cloudFormationParser, [{ path: "t.yaml", text }], log);
  return { module: modules[0], codes: log.warnings().map(({ code }) => code) };
}

it("writes a loop over literals out, in keys, texts and references, with loops inside", () => {
  const { module, codes } = parse(`Resources:
  Fn::ForEach::Zones:
    - Zone
    - [a, b-1]
    - Fn::ForEach::Sizes:
        - Size
        - ["1", "2"]
        - Box&{Zone}\${Size}:
            Type: AWS::SQS::Queue
            Properties: { QueueName: !Sub "q-\${Zone}-\${Size}-\${Other}", Tags: [{ Key: zone, Value: !Ref Zone }] }
Outputs:
  Fn::ForEach::Names:
    - Zone
    - [a]
    - Name\${Zone}: { Value: { Ref: Zone } }
`);
  expect(codes).toEqual([]);
  expect(module?.resources.map(({ address }) => address)).toEqual([
    "Boxa1",
    "Boxa2",
    "Boxb11",
    "Boxb12",
  ]);
  expect(JSON.stringify(module?.resources[2]?.settings)).toContain('"q-b-1-1-"');
  expect(JSON.stringify(module?.resources[2]?.settings)).toContain('"b-1"');
  expect(module?.outputs).toMatchObject([
    { name: "Namea", value: { kind: "literal", value: "a" } },
  ]);
});

it("leaves a loop over a parameter a loop, and says which ones it cannot write out", () => {
  const over = (collection: string) =>
    parse(`Parameters: { Names: { Type: CommaDelimitedList } }
Resources:
  Fn::ForEach::Boxes:
    - Name
    - ${collection}
    - Box\${Name}: { Type: AWS::SQS::Queue }
  Kept: { Type: AWS::SQS::Queue }
`);
  expect(over("!Ref Names").codes).toEqual([]);
  expect(over("!Ref Names").module?.resources).toMatchObject([
    { address: "Box${Name}", forEach: { target: { kind: "variable", name: "Names" } } },
    { address: "Kept" },
  ]);
  const inner = parse(`Parameters: { Names: { Type: CommaDelimitedList } }
Resources:
  Fn::ForEach::Outer: [A, !Ref Names, { "Fn::ForEach::Inner": [B, !Ref Names, { "R\${A}\${B}": { Type: AWS::SQS::Queue } }] }]
`);
  expect(inner.codes).toContain("unsupported_loop");
  expect(inner.module?.leftOut).toMatchObject([{ address: "Fn::ForEach::Outer", line: 3 }]);
  const many = Array.from({ length: 30_000 }, (_, at) => `n${at}`);
  const { module, codes } = over(JSON.stringify(many));
  expect(module?.resources.length).toBeLessThan(20_000);
  expect(codes).toEqual(["too_many_values"]);
  const long = parse(`Resources:
  Fn::ForEach::Boxes:
    - Name
    - [${"x".repeat(300_000)}]
    - Box: { Type: AWS::SQS::Queue, Properties: { QueueName: "${"${Name}".repeat(50_000)}" } }
  Fn::ForEach::More: [Name, [a], { Other: { Type: AWS::SQS::Queue } }]
`);
  expect(JSON.stringify(long.module).length).toBeLessThan(5_000_000);
  expect(long.codes).toContain("too_many_values");
  const nested = (depth: number): string =>
    depth === 0
      ? '"X${N1}${N2}": { Type: "AWS::SQS::Queue" }'
      : `Fn::ForEach::L${depth}: [N${depth}, [a, b, c, d], { ${nested(depth - 1)} }]`;
  const deep = parse(`Resources: { ${nested(12)} }`);
  expect(deep.module?.resources.length).toBe(16);
  expect(deep.codes).toEqual(["too_many_values"]);
});

it("runs over a list that literals find in a mapping, also by the name of the loop around", () => {
  const { module, codes } =
    parse(`Mappings: { Groups: { one: { Names: [a, b] }, two: { Names: [c] } } }
Conditions: { Isb: !Equals [!Ref AWS::Region, eu-west-1] }
Resources:
  Fn::ForEach::Groups:
    - Group
    - [one, two]
    - Fn::ForEach::Names:
        - Name
        - !FindInMap [Groups, !Ref Group, Names]
        - Box\${Name}: { Type: AWS::SQS::Queue, Condition: { Fn::Sub: "Is\${Name}" } }
  Fn::ForEach::Others:
    - Name
    - !FindInMap [Groups, three, Names, { DefaultValue: [d] }]
    - Box\${Name}: { Type: AWS::SQS::Queue, DependsOn: !Sub "Boxc" }
`);
  expect(codes).toEqual([]);
  expect(module?.resources).toMatchObject([
    { address: "Boxa", repeated: true, when: undefined },
    { address: "Boxb", when: { target: { name: "Conditions.Isb" } } },
    { address: "Boxc", repeated: true, when: undefined },
    { address: "Boxd", repeated: false, dependsOn: [{ address: "Boxc" }] },
  ]);
});
